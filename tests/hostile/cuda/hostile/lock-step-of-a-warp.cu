// base: cuda-rows
// verdict: Unsafe,WrongOutput
// The last warp runs as if its lanes were in lock step.
extern "C" __global__ void rows_sum(const float* a, float* r, int cols, int rows) {
  __shared__ float part[64];
  const int row = blockIdx.x, t = threadIdx.x;
  float s = 0.0f;
  for (int c = t; c < cols; c += 64) s += a[row * cols + c];
  part[t] = s;
  __syncthreads();
  if (t < 32) {
    part[t] += part[t + 32];
    part[t] += part[t + 16];
    part[t] += part[t + 8];
    part[t] += part[t + 4];
    part[t] += part[t + 2];
    part[t] += part[t + 1];
  }
  if (t == 0) r[row] = part[0];
}
