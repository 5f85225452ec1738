// base: cuda-near
// verdict: Timed
// global: 256
// local: 64
// Blocks go over the data until it is done.
extern "C" __global__ void near(const float* a, float* b, float f, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float left = i > 0 ? a[i - 1] : 0.0f;
    const float right = i + 1 < n ? a[i + 1] : 0.0f;
    b[i] = f * (left + a[i] + right);
  }
}
