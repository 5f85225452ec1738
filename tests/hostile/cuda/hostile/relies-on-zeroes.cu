// base: cuda-rows
// verdict: Unsafe,WrongOutput
// Shared memory that nobody set to zero.
extern "C" __global__ void rows_sum(const float* a, float* r, int cols, int rows) {
  __shared__ float part[64];
  const int row = blockIdx.x, t = threadIdx.x;
  float s = 0.0f;
  for (int c = t; c < cols; c += 64) s += a[row * cols + c];
  atomicAdd(&part[0], s);
  __syncthreads();
  if (t == 0) r[row] = part[0];
}
