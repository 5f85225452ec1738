// base: cuda-near
// verdict: Timed
// A tile with its edges, and a barrier.
extern "C" __global__ void near(const float* a, float* b, float f, int n) {
  __shared__ float tile[66];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x + 1;
  tile[t] = i < n ? a[i] : 0.0f;
  if (threadIdx.x == 0) tile[0] = i > 0 ? a[i - 1] : 0.0f;
  if (threadIdx.x == 63) tile[65] = i + 1 < n ? a[i + 1] : 0.0f;
  __syncthreads();
  if (i < n) b[i] = f * (tile[t - 1] + tile[t] + tile[t + 1]);
}
