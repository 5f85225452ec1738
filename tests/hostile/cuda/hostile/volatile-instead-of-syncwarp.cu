// base: cuda-rows
// verdict: Unsafe,WrongOutput
// Volatile shared memory in the place of __syncwarp.
extern "C" __global__ void rows_sum(const float* a, float* r, int cols, int rows) {
  __shared__ float part[64];
  const int row = blockIdx.x, t = threadIdx.x;
  float s = 0.0f;
  for (int c = t; c < cols; c += 64) s += a[row * cols + c];
  part[t] = s;
  __syncthreads();
  if (t < 32) {
    volatile float* p = part;
    p[t] += p[t + 32];
    p[t] += p[t + 16];
    p[t] += p[t + 8];
    p[t] += p[t + 4];
    p[t] += p[t + 2];
    p[t] += p[t + 1];
  }
  if (t == 0) r[row] = part[0];
}
