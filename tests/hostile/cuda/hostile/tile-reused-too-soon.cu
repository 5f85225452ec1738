// base: cuda-near
// verdict: Unsafe,WrongOutput
// global: round_up(ceil_div(n, 2), 64)
// local: 64
// A second tile overwrites the first while it is read.
extern "C" __global__ void near(const float* a, float* b, float f, int n) {
  __shared__ float tile[66];
  for (int base = blockIdx.x * 128; base < blockIdx.x * 128 + 128; base += 64) {
    const int i = base + threadIdx.x, t = threadIdx.x + 1;
    tile[t] = i < n ? a[i] : 0.0f;
    if (threadIdx.x == 0) tile[0] = i > 0 && i - 1 < n ? a[i - 1] : 0.0f;
    if (threadIdx.x == 63) tile[65] = i + 1 < n ? a[i + 1] : 0.0f;
    __syncthreads();
    if (i < n) b[i] = f * (tile[t - 1] + tile[t] + tile[t + 1]);
  }
}
