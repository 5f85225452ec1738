// base: cuda-near
// verdict: Unsafe,WrongOutput
// What another block writes is read back as if it were there.
extern "C" __global__ void near(const float* a, float* b, float f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i];
  __syncthreads();
  if (i >= n) return;
  const float left = i > 0 ? (threadIdx.x > 0 ? a[i - 1] : b[i - 1]) : 0.0f;
  const float right = i + 1 < n ? a[i + 1] : 0.0f;
  __syncthreads();
  b[i] = f * (left + a[i] + right);
}
