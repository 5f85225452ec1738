#pragma once
#include <hip/hip_runtime.h>

/// A += u1 v1^T + u2 v2^T
static __global__ void gemver_update(float* A, const float* u1, const float* v1, const float* u2, const float* v2,
                                     size_t n) {
  const size_t j = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t i = blockIdx.y;
  if (j < n) A[i * n + j] = A[i * n + j] + u1[i] * v1[j] + u2[i] * v2[j];
}

/// x += beta A^T y + z
static __global__ void gemver_x(const float* A, float* x, const float* y, const float* z, float beta, size_t n) {
  const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = x[i];
  for (size_t j = 0; j < n; j++) sum += beta * A[j * n + i] * y[j];
  x[i] = sum + z[i];
}

/// w = alpha A x
static __global__ void gemver_w(const float* A, const float* x, float* w, float alpha, size_t n) {
  const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  w[i] = 0.0f;
  for (size_t j = 0; j < n; j++) w[i] += alpha * A[i * n + j] * x[j];
}
