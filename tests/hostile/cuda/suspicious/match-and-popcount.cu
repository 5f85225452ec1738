// base: cuda-tally
// verdict: Timed
// Lanes with one value count themselves and one of them adds.
extern "C" __global__ void tally(const int* v, int* h, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned active = __ballot_sync(0xffffffff, i < n);
  if (i >= n) return;
  const unsigned same = __match_any_sync(active, v[i]);
  if (threadIdx.x % 32 == __ffs(same) - 1) atomicAdd(&h[v[i]], __popc(same));
}
