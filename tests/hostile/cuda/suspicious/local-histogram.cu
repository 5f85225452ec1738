// base: cuda-tally
// verdict: Timed
// Counted in shared memory, then added.
extern "C" __global__ void tally(const int* v, int* h, int n) {
  __shared__ int mine[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x) mine[k] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&mine[v[i]], 1);
  __syncthreads();
  for (int k = threadIdx.x; k < 256; k += blockDim.x)
    if (mine[k] > 0) atomicAdd(&h[k], mine[k]);
}
