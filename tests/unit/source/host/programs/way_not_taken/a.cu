#include <cuda_runtime.h>
#include <cstdlib>

__global__ void walls(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = i;
}
__global__ void around(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = n - i;
}

int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  bool periodic = false;
  if (argc > 2) periodic = std::atoi(argv[2]) != 0;
  float *a;
  cudaMalloc(&a, n * sizeof(float));
  int threads = 64;
  for (int step = 0; step < 10; step++) {
    if (periodic) {
      threads = 128;
      around<<<(n + threads - 1) / threads, threads>>>(a, n);
    } else {
      walls<<<(n + threads - 1) / threads, threads>>>(a, n);
    }
  }
}
