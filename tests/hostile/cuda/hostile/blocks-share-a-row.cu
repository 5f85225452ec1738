// base: cuda-rows
// verdict: Unsafe,WrongOutput
// global: 2 * launch.global[0]
// local: 64
// Two blocks write the answer of one row, each its half.
extern "C" __global__ void rows_sum(const float* a, float* r, int cols, int rows) {
  __shared__ float part[64];
  const int row = blockIdx.x / 2, half = blockIdx.x % 2, t = threadIdx.x;
  float s = 0.0f;
  for (int c = t + 64 * half; c < cols; c += 128) s += a[row * cols + c];
  part[t] = s;
  __syncthreads();
  for (int h = 32; h > 0; h /= 2) {
    if (t < h) part[t] += part[t + h];
    __syncthreads();
  }
  if (t == 0) r[row] = half == 0 ? part[0] : r[row] + part[0];
}
