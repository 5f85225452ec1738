// base: cuda-near
// verdict: Timed
// A template that helps.
template <class T, int N>
__device__ T times(T x, T y) { return x * y * N; }
extern "C" __global__ void near(const float* a, float* b, float f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float left = i > 0 ? a[i - 1] : 0.0f;
  const float right = i + 1 < n ? a[i + 1] : 0.0f;
  b[i] = times<float, 2>(f * 0.5f, left + a[i] + right);
}
