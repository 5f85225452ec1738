// base: cuda-parts
// verdict: Timed
// A divisor that is never zero, by a maximum.
extern "C" __global__ void parts(const int* a, const int* b, int* q, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int by = max(b[i], 1);
  q[i] = b[i] > 0 ? a[i] / by : a[i];
}
