// base: cuda-near
// verdict: Timed
// global: round_up(ceil_div(n, 2), 64)
// local: 64
// Two elements a thread.
extern "C" __global__ void near(const float* a, float* b, float f, int n) {
  const int first = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int i = first; i < min(first + 2, n); ++i) {
    const float left = i > 0 ? a[i - 1] : 0.0f;
    const float right = i + 1 < n ? a[i + 1] : 0.0f;
    b[i] = f * (left + a[i] + right);
  }
}
