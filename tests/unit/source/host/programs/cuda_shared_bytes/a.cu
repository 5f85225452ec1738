#include <cuda_runtime.h>
#include <cstdlib>

__global__ void sum(const float *a, float *out, int n) {
  extern __shared__ float part[];
  part[threadIdx.x] = threadIdx.x < n ? a[threadIdx.x] : 0;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int i = 0; i < blockDim.x; i++) out[0] += part[i];
}

int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  const int threads = 256;
  float *a, *out;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  sum<<<1, threads, threads * sizeof(float)>>>(a, out, n);
  void *arguments[] = {&a, &out, &n};
  cudaLaunchKernel((const void *)sum, dim3(1), dim3(threads), arguments, 512, 0);
  sum<<<1, threads, 0>>>(a, out, n);
}
