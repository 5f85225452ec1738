#pragma once
#define THREADS_PER_BLOCK 256
#define BLOCKS_FOR(n) (((n) + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK)

// tmp = A x, one thread a row. A is nx x ny.
__global__ void atax_rows(const float* A, const float* x, float* tmp, unsigned nx, unsigned ny) {
  unsigned i = blockIdx.x * THREADS_PER_BLOCK + threadIdx.x;
  if (i < nx) {
    tmp[i] = 0.0f;
    for (unsigned j = 0; j < ny; j++) tmp[i] += A[i * ny + j] * x[j];
  }
}

// y = A^T tmp, one thread a column.
__global__ void atax_columns(const float* A, const float* tmp, float* y, unsigned nx, unsigned ny) {
  unsigned j = blockIdx.x * THREADS_PER_BLOCK + threadIdx.x;
  if (j < ny) {
    y[j] = 0.0f;
    for (unsigned i = 0; i < nx; i++) y[j] += A[i * ny + j] * tmp[i];
  }
}
