// base: cuda-rows
// verdict: Unsafe,Crashed
// Half of the block never comes to the barrier.
extern "C" __global__ void rows_sum(const float* a, float* r, int cols, int rows) {
  __shared__ float part[64];
  const int row = blockIdx.x, t = threadIdx.x;
  float s = 0.0f;
  for (int c = t; c < cols; c += 64) s += a[row * cols + c];
  part[t] = s;
  if (t < 32) __syncthreads();
  if (t == 0) {
    float sum = 0.0f;
    for (int k = 0; k < 64; ++k) sum += part[k];
    r[row] = sum;
  }
}
