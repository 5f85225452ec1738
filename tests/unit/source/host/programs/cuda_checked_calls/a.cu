#include <cuda_runtime.h>
#include <cstdlib>

__global__ void ramp(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = i;
}

static void must(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::exit(2);
}

int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  float *a;
  size_t pitch;
  cudaEvent_t start;
  must(cudaEventCreateWithFlags(&start, cudaEventDisableTiming));
  must(cudaMallocPitch(&a, &pitch, n * sizeof(float), 4));
  must(cudaMemset2D(a, pitch, 0, n * sizeof(float), 4));
  must(cudaEventRecord(start));
  ramp<<<(n + 127) / 128, 128>>>(a, n);
}
