// base: cuda-near
// verdict: Unsafe,WrongOutput,Crashed
// Through a pointer to nothing, which a compiler may take for one to something.
extern "C" __global__ void near(const float* a, float* b, float f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float left = i > 0 ? a[i - 1] : 0.0f;
  const float right = i + 1 < n ? a[i + 1] : 0.0f;
  const float* p = f > 1000.0f ? a : nullptr;
  b[i] = f * (left + a[i] + right) + (i == n - 1 ? p[0] : 0.0f);
}
