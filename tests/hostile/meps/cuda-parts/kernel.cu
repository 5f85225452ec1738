// A quotient where there is something to divide by, else the number itself.
extern "C" __global__ void parts(const int* a, const int* b, int* q, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  q[i] = b[i] > 0 ? a[i] / b[i] : a[i];
}
