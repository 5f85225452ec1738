// base: cuda-near
// verdict: WrongOutput
// Sixteen bits where there were thirty-two.
#include <cuda_fp16.h>
extern "C" __global__ void near(const float* a, float* b, float f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float left = i > 0 ? a[i - 1] : 0.0f;
  const float right = i + 1 < n ? a[i + 1] : 0.0f;
  const __half sum = __float2half(left + a[i] + right);
  b[i] = f * __half2float(sum);
}
