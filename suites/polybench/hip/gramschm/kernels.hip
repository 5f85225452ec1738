#include "kernels.h"

constexpr int kThreads = 128;

__global__ void gram_norm(const float* a, float* r, int k, int rows, int columns) {
  extern __shared__ float squares[];
  const int t = threadIdx.x;
  squares[t] = 0.0f;
  for (int i = t; i < rows; i += kThreads) squares[t] += a[i * columns + k] * a[i * columns + k];
  for (int stride = kThreads / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) squares[t] += squares[t + stride];
  }
  if (t == 0) r[k * columns + k] = sqrtf(squares[0]);
}

__global__ void gram_unit(const float* a, const float* r, float* q, int k, int rows, int columns) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < rows) q[i * columns + k] = a[i * columns + k] / r[k * columns + k];
}

__global__ void gram_project(float* a, float* r, const float* q, int k, int rows, int columns) {
  const int j = blockIdx.x * kThreads + threadIdx.x;
  if (j > k && j < columns) {
    r[k * columns + j] = 0.0f;
    for (int i = 0; i < rows; i++) r[k * columns + j] += q[i * columns + k] * a[i * columns + j];
    for (int i = 0; i < rows; i++) a[i * columns + j] -= q[i * columns + k] * r[k * columns + j];
  }
}

hipError_t gram_schmidt_column(float* a, float* q, float* r, int k, int rows, int columns) {
  const dim3 threads(kThreads);
  const dim3 over_rows((rows + kThreads - 1) / kThreads);
  const dim3 over_columns((columns + kThreads - 1) / kThreads);
  hipLaunchKernelGGL(gram_norm, dim3(1), threads, kThreads * sizeof(float), 0, a, r, k, rows, columns);
  hipLaunchKernelGGL(gram_unit, over_rows, threads, 0, 0, a, r, q, k, rows, columns);
  hipLaunchKernelGGL(gram_project, over_columns, threads, 0, 0, a, r, q, k, rows, columns);
  return hipGetLastError();
}
