// base: cuda-rows
// verdict: Unsafe,WrongOutput
// The answer is taken before every thread has added.
extern "C" __global__ void rows_sum(const float* a, float* r, int cols, int rows) {
  __shared__ float part[64];
  const int row = blockIdx.x, t = threadIdx.x;
  float s = 0.0f;
  for (int c = t; c < cols; c += 64) s += a[row * cols + c];
  if (t == 0) part[0] = 0.0f;
  __syncthreads();
  atomicAdd(&part[0], s);
  if (t == 63) r[row] = part[0];
}
