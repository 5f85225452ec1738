// base: cuda-tally
// verdict: Timed
// An increment by compare and swap.
extern "C" __global__ void tally(const int* v, int* h, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int old = atomicAdd(&h[v[i]], 0), seen;
  do {
    seen = old;
    old = atomicCAS(&h[v[i]], seen, seen + 1);
  } while (old != seen);
}
