// base: cuda-rows
// verdict: Timed
// Each warp adds its part by an atomic.
extern "C" __global__ void rows_sum(const float* a, float* r, int cols, int rows) {
  __shared__ float part[64];
  const int row = blockIdx.x, t = threadIdx.x;
  float s = 0.0f;
  for (int c = t; c < cols; c += 64) s += a[row * cols + c];
  if (t == 0) part[0] = 0.0f;
  __syncthreads();
  for (int h = 16; h > 0; h /= 2) s += __shfl_xor_sync(0xffffffff, s, h);
  if (t % 32 == 0) atomicAdd(&part[0], s);
  __syncthreads();
  if (t == 0) r[row] = part[0];
}
