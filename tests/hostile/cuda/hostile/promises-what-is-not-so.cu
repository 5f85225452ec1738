// base: cuda-parts
// verdict: Unsafe
// defence: static-gate
// Tells the compiler that no divisor is zero.
extern "C" __global__ void parts(const int* a, const int* b, int* q, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __builtin_assume(b[i] != 0);
  q[i] = b[i] > 0 ? a[i] / b[i] : a[i];
}
