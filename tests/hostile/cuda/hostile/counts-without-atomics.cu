// base: cuda-tally
// verdict: Unsafe,WrongOutput
// An increment that is no atomic.
extern "C" __global__ void tally(const int* v, int* h, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) h[v[i]] += 1;
}
