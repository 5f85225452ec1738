// base: cuda-near
// verdict: Unsafe,Crashed
// No guard at the ragged end.
extern "C" __global__ void near(const float* a, float* b, float f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float left = i > 0 && i - 1 < n ? a[i - 1] : 0.0f;
  const float right = i + 1 < n ? a[i + 1] : 0.0f;
  b[i] = f * (left + (i < n ? a[i] : 0.0f) + right);
}
