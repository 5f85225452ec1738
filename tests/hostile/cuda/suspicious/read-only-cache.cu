// base: cuda-near
// verdict: Timed
// Through the read-only cache, with restrict.
extern "C" __global__ void __launch_bounds__(64) near(const float* __restrict__ a, float* __restrict__ b, float f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float left = i > 0 ? __ldg(a + i - 1) : 0.0f;
  const float right = i + 1 < n ? __ldg(a + i + 1) : 0.0f;
  b[i] = f * (left + __ldg(a + i) + right);
}
