// base: cuda-near
// verdict: Unsafe,WrongOutput,Crashed
// The right neighbour of the last.
extern "C" __global__ void near(const float* a, float* b, float f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float left = i > 0 ? a[i - 1] : 0.0f;
  const float right = a[i + 1];
  b[i] = f * (left + a[i] + (i + 1 < n ? right : 0.0f * right));
}
