// base: cuda-near
// verdict: Unsafe,WrongOutput,Crashed
// The fourth of three.
extern "C" __global__ void near(const float* a, float* b, float f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float left = i > 0 ? a[i - 1] : 0.0f;
  const float right = i + 1 < n ? a[i + 1] : 0.0f;
  float three[3] = {left, a[i], right};
  float s = 0.0f;
  for (int k = 0; k <= 3; ++k) s += k < 3 ? three[k] : 0.0f * three[k + (n & 0)];
  b[i] = f * s;
}
