// base: cuda-rows
// verdict: Unsafe,WrongOutput
// A shuffle orders no memory.
extern "C" __global__ void rows_sum(const float* a, float* r, int cols, int rows) {
  __shared__ float part[64];
  const int row = blockIdx.x, t = threadIdx.x;
  float s = 0.0f;
  for (int c = t; c < cols; c += 64) s += a[row * cols + c];
  part[t] = s;
  __syncthreads();
  if (t < 32) {
    float mine = part[t] + part[t + 32];
    part[t] = mine;
    __shfl_sync(0xffffffff, t, 0);
    if (t == 0) {
      float sum = 0.0f;
      for (int k = 0; k < 32; ++k) sum += part[k];
      r[row] = sum;
    }
  }
}
