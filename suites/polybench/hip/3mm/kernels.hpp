#pragma once
#include <hip/hip_runtime.h>

// E = A B, F = C D, G = E F
__global__ void mm3_e(const float* A, const float* B, float* E, int ni, int nj, int nk) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= ni || j >= nj) return;
  float e = 0;
  for (int k = 0; k < nk; k++) e += A[i * nk + k] * B[k * nj + j];
  E[i * nj + j] = e;
}

__global__ void mm3_f(const float* C, const float* D, float* F, int nj, int nl, int nm) {
  const int l = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (j >= nj || l >= nl) return;
  float f = 0;
  for (int m = 0; m < nm; m++) f += C[j * nm + m] * D[m * nl + l];
  F[j * nl + l] = f;
}

__global__ void mm3_g(const float* E, const float* F, float* G, int ni, int nl, int nj) {
  const int l = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= ni || l >= nl) return;
  float g = 0;
  for (int j = 0; j < nj; j++) g += E[i * nj + j] * F[j * nl + l];
  G[i * nl + l] = g;
}
