// base: cuda-parts
// verdict: Unsafe,WrongOutput
// defence: operations
// A shift by as many bits as there are.
extern "C" __global__ void parts(const int* a, const int* b, int* q, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int far = 32 + (n & 0);
  q[i] = (b[i] > 0 ? a[i] / b[i] : a[i]) + ((a[i] << far) & 0);
}
