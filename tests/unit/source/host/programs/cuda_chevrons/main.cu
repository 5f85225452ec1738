#include <cuda_runtime.h>
#include <cstdlib>
__global__ void saxpy(float* y, const float* x, float a, int n) {}
int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 20;
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc((void**)&y, n * sizeof(float));
  dim3 block(256);
  dim3 grid((n + block.x - 1) / block.x);
  saxpy<<<grid, block>>>(y, x, 2.0f, n);
  cudaDeviceSynchronize();
  return 0;
}
