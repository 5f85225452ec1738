#pragma once
#include <hip/hip_runtime.h>

/// C = alpha A B + beta C; a block computes Side x Side results, a thread one.
template <typename T, int Side>
__global__ void __launch_bounds__(Side* Side)
    gemm(const T* a, const T* b, T* c, T alpha, T beta, int ni, int nj, int nk) {
  const int row = blockIdx.y * Side + threadIdx.y;
  const int col = blockIdx.x * Side + threadIdx.x;
  if (row < ni && col < nj) {
    T sum = T(0);
    for (int k = 0; k < nk; ++k) sum += a[row * nk + k] * b[k * nj + col];
    c[row * nj + col] = alpha * sum + beta * c[row * nj + col];
  }
}
