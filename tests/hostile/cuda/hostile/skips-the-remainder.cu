// base: cuda-near
// verdict: WrongOutput
// Whole blocks only.
extern "C" __global__ void near(const float* a, float* b, float f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((blockIdx.x + 1) * blockDim.x > n) return;
  const float left = i > 0 ? a[i - 1] : 0.0f;
  const float right = i + 1 < n ? a[i + 1] : 0.0f;
  b[i] = f * (left + a[i] + right);
}
