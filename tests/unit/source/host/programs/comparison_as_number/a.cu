#include <cuda_runtime.h>
#include <cstdlib>

__global__ void ramp(float *a, int n, int odd) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = i + odd;
}

int main(int argc, char **argv) {
  int n = 4096;
  if (argc > 1) n = std::atoi(argv[1]);
  float *a;
  cudaMalloc(&a, n * sizeof(float));
  int blocks = n / 128 + (n % 128 != 0);
  int odd = n % 2 == 1;
  ramp<<<blocks, 128>>>(a, n, odd);
}
