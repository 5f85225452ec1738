// base: cuda-parts
// verdict: Unsafe,Crashed
// defence: operations
// A quotient by zero whose value is thrown away.
extern "C" __global__ void parts(const int* a, const int* b, int* q, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int by = b[i] - b[i] + (n & 0);
  const int thrown = a[i] / by;
  q[i] = (b[i] > 0 ? a[i] / b[i] : a[i]) + (thrown & 0);
}
