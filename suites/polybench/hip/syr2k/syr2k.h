#pragma once
#include <hip/hip_runtime.h>

/// C = alpha (A B^T + B A^T) + beta C, with A and B n x m.
__global__ void syr2k(const float* a, const float* b, float* c, float alpha, float beta, int n, int m) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) {
    float sum = beta * c[i * n + j];
    for (int k = 0; k < m; k++) sum += alpha * a[i * m + k] * b[j * m + k] + alpha * b[i * m + k] * a[j * m + k];
    c[i * n + j] = sum;
  }
}
