// base: cuda-rows
// verdict: Unsafe,WrongOutput,Crashed
// Only half of the warp waits, and the other half is read.
extern "C" __global__ void rows_sum(const float* a, float* r, int cols, int rows) {
  __shared__ float part[64];
  const int row = blockIdx.x, t = threadIdx.x;
  float s = 0.0f;
  for (int c = t; c < cols; c += 64) s += a[row * cols + c];
  part[t] = s;
  __syncthreads();
  if (t < 32) part[t] += part[t + 32];
  if (t < 16) {
    __syncwarp(0xffff);
    part[t] += part[t + 16];
    __syncwarp(0xffff);
    if (t == 0) for (int k = 1; k < 16; ++k) part[0] += part[k];
  }
  if (t == 0) r[row] = part[0];
}
