// base: cuda-near
// verdict: Unsafe,WrongOutput
// defence: operations
// A sum that begins with what was there.
extern "C" __global__ void near(const float* a, float* b, float f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float left = i > 0 ? a[i - 1] : 0.0f;
  const float right = i + 1 < n ? a[i + 1] : 0.0f;
  float s;
  if (f > 100.0f) s = 1.0f;
  b[i] = f * (left + a[i] + right) + 0.0f * s;
}
