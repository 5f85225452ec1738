// base: cuda-near
// verdict: Unsafe
// defence: static-gate
// Memory of its own that nobody sees.
extern "C" __global__ void near(const float* a, float* b, float f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float left = i > 0 ? a[i - 1] : 0.0f;
  const float right = i + 1 < n ? a[i + 1] : 0.0f;
  float* note = (float*)malloc(4);
  if (note != nullptr) *note = a[i];
  b[i] = f * (left + (note != nullptr ? *note : a[i]) + right);
}
