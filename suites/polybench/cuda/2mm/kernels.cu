#include "kernels.h"

#define BLOCK_X 32
#define BLOCK_Y 8
#define BLOCKS(n, size) (((n) + (size) - 1) / (size))

// tmp = alpha A B
__global__ void mm2_product(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ tmp,
                            const float alpha, const int ni, const int nj, const int nk) {
  const int column = blockIdx.x * BLOCK_X + threadIdx.x;
  const int row = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (row >= ni || column >= nj) return;
  float sum = 0.0f;
  for (int k = 0; k < nk; ++k) sum += alpha * a[row * nk + k] * b[k * nj + column];
  tmp[row * nj + column] = sum;
}

// D = tmp C + beta D
__global__ void mm2_accumulate(const float* __restrict__ tmp, const float* __restrict__ c, float* __restrict__ d,
                               const float beta, const int ni, const int nl, const int nj) {
  const int column = blockIdx.x * BLOCK_X + threadIdx.x;
  const int row = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (row >= ni || column >= nl) return;
  float sum = beta * d[row * nl + column];
  for (int j = 0; j < nj; ++j) sum += tmp[row * nj + j] * c[j * nl + column];
  d[row * nl + column] = sum;
}

void launch_product(const float* a, const float* b, float* tmp, float alpha, int ni, int nj, int nk) {
  mm2_product<<<dim3(BLOCKS(nj, BLOCK_X), BLOCKS(ni, BLOCK_Y)), dim3(BLOCK_X, BLOCK_Y)>>>(a, b, tmp, alpha, ni, nj, nk);
}

void launch_accumulate(const float* tmp, const float* c, float* d, float beta, int ni, int nl, int nj) {
  mm2_accumulate<<<dim3(BLOCKS(nl, BLOCK_X), BLOCKS(ni, BLOCK_Y)), dim3(BLOCK_X, BLOCK_Y)>>>(tmp, c, d, beta, ni, nl,
                                                                                             nj);
}
