// base: cuda-rows
// verdict: Unsafe,WrongOutput,Crashed,TimedOut
// One warp sums what another may not have written yet.
extern "C" __global__ void rows_sum(const float* a, float* r, int cols, int rows) {
  __shared__ float part[65];
  const int row = blockIdx.x, t = threadIdx.x;
  float s = 0.0f;
  for (int c = t; c < cols; c += 64) s += a[row * cols + c];
  if (t == 0) part[64] = 0.0f;
  __syncthreads();
  part[t] = s;
  __syncwarp();
  if (t == 32) part[64] = 1.0f;
  if (t < 32) {
    __syncwarp();
    if (t == 0) {
      float sum = 0.0f;
      for (int k = 0; k < 64; ++k) sum += part[k];
      r[row] = sum;
    }
  }
}
