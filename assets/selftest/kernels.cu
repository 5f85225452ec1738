// hone devices --self-test, CUDA and HIP. Each kernel has its twin in kernels.cl.
extern "C" __global__ void scale(const float* x, float* y, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor * x[i];
}
extern "C" __global__ void reverse(const int* x, int* y) {
  extern __shared__ int part[];
  const int here = threadIdx.x, last = blockDim.x - 1, i = blockIdx.x * blockDim.x + threadIdx.x;
  part[here] = x[i];
  __syncthreads();
  y[i] = part[last - here];
}
extern "C" __global__ void count_even(const int* x, int* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] % 2 == 0) atomicAdd(count, 1);
}
extern "C" __global__ void add_one(int* y) { y[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
extern "C" __global__ void stray(int* y, int n) { y[blockIdx.x * blockDim.x + threadIdx.x + n] = 7; }
extern "C" __global__ void plane(int* y, int width) {
  y[(blockIdx.y * blockDim.y + threadIdx.y) * width + blockIdx.x * blockDim.x + threadIdx.x] =
      1000 * blockIdx.y + blockIdx.x;
}
extern "C" __global__ void endless(volatile int* y) {
  while (y[0] != 12345) y[1] += 1;
}
