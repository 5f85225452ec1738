// base: cuda-near
// verdict: Unsafe
// defence: static-gate
// Prints, and costs whoever reads it.
extern "C" __global__ void near(const float* a, float* b, float f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float left = i > 0 ? a[i - 1] : 0.0f;
  const float right = i + 1 < n ? a[i + 1] : 0.0f;
  if (i == 0) printf("%f\n", a[0]);
  b[i] = f * (left + a[i] + right);
}
