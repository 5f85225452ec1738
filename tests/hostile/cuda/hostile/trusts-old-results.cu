// base: cuda-tally
// verdict: Unsafe,WrongOutput
// Adds to what it finds, and stores what it should add.
extern "C" __global__ void tally(const int* v, int* h, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicExch(&h[v[i]], h[v[i]] + 1);
}
