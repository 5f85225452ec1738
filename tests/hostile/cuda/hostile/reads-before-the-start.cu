// base: cuda-near
// verdict: Unsafe,WrongOutput,Crashed
// The left neighbour of the first.
extern "C" __global__ void near(const float* a, float* b, float f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float left = a[i - 1];
  const float right = i + 1 < n ? a[i + 1] : 0.0f;
  b[i] = f * ((i > 0 ? left : 0.0f * left) + a[i] + right);
}
