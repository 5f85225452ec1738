// How often each of 256 values is there.
extern "C" __global__ void tally(const int* v, int* h, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&h[v[i]], 1);
}
