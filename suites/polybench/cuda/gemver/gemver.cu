// A += u1 v1^T + u2 v2^T;  x += beta A^T y + z;  w = alpha A x
#include <cstdio>
#include <cstdlib>

#include "gemver.h"

#define CEIL_DIV(a, b) (((a) - 1) / (b) + 1)
#define LAUNCH_1D(kernel, n, ...)                   \
  do {                                              \
    kernel<<<CEIL_DIV(n, 256), 256>>>(__VA_ARGS__); \
    gpu_check(cudaGetLastError(), #kernel);         \
  } while (0)
#define LAUNCH_2D(kernel, rows, columns, ...)                                             \
  do {                                                                                    \
    kernel<<<dim3(CEIL_DIV(columns, 32), CEIL_DIV(rows, 8)), dim3(32, 8)>>>(__VA_ARGS__); \
    gpu_check(cudaGetLastError(), #kernel);                                               \
  } while (0)

void gpu_check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) {
    fprintf(stderr, "gemver: %s: %s\n", what, cudaGetErrorString(status));
    exit(2);
  }
}

__global__ void gemver_update(float* a, const float* u1, const float* v1, const float* u2, const float* v2, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) a[i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];
}

__global__ void gemver_x(const float* a, float* x, const float* y, const float* z, float beta, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int j = 0; j < n; j++) x[i] += beta * a[j * n + i] * y[j];
    x[i] += z[i];
  }
}

__global__ void gemver_w(const float* a, const float* x, float* w, float alpha, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0.0f;
    for (int j = 0; j < n; j++) sum += alpha * a[i * n + j] * x[j];
    w[i] = sum;
  }
}

void gemver(const GemverArrays& d, float alpha, float beta, int n) {
  LAUNCH_2D(gemver_update, n, n, d.a, d.u1, d.v1, d.u2, d.v2, n);
  LAUNCH_1D(gemver_x, n, d.a, d.x, d.y, d.z, beta, n);
  LAUNCH_1D(gemver_w, n, d.a, d.x, d.w, alpha, n);
}
