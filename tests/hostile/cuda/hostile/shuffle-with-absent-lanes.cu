// base: cuda-rows
// verdict: Unsafe,WrongOutput,Crashed
// Lanes are named in the mask that never take part.
extern "C" __global__ void rows_sum(const float* a, float* r, int cols, int rows) {
  __shared__ float part[64];
  const int row = blockIdx.x, t = threadIdx.x;
  float s = 0.0f;
  for (int c = t; c < cols; c += 64) s += a[row * cols + c];
  part[t] = s;
  __syncthreads();
  float mine = part[t % 32] + part[t % 32 + 32];
  if (t < 16) {
    for (int h = 16; h > 0; h /= 2) mine += __shfl_down_sync(0xffffffff, mine, h);
    if (t == 0) r[row] = mine;
  } else {
    __syncthreads();
  }
}
