#pragma once
// Alternating directions on X: tridiagonal sweeps along each row, then along each column. A holds the couplings, B the
// pivots, which the sweeps change as well. All matrices are n x n.

__global__ void row_forward(const float* a, float* b, float* x, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) {
    for (int j = 1; j < n; j++) {
      x[row * n + j] = x[row * n + j] - x[row * n + j - 1] * a[row * n + j] / b[row * n + j - 1];
      b[row * n + j] = b[row * n + j] - a[row * n + j] * a[row * n + j] / b[row * n + j - 1];
    }
  }
}

__global__ void row_last(const float* b, float* x, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) x[row * n + n - 1] = x[row * n + n - 1] / b[row * n + n - 1];
}

__global__ void row_back(const float* a, const float* b, float* x, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) {
    for (int j = n - 2; j >= 1; j--)
      x[row * n + j] = (x[row * n + j] - x[row * n + j - 1] * a[row * n + j - 1]) / b[row * n + j - 1];
  }
}

// One step down all columns at once; the host walks over the rows.
__global__ void column_forward(const float* a, float* b, float* x, int n, int row) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n) {
    x[row * n + j] = x[row * n + j] - x[(row - 1) * n + j] * a[row * n + j] / b[(row - 1) * n + j];
    b[row * n + j] = b[row * n + j] - a[row * n + j] * a[row * n + j] / b[(row - 1) * n + j];
  }
}

__global__ void column_last(const float* b, float* x, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n) x[(n - 1) * n + j] = x[(n - 1) * n + j] / b[(n - 1) * n + j];
}

__global__ void column_back(const float* a, const float* b, float* x, int n, int row) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n) x[row * n + j] = (x[row * n + j] - x[(row - 1) * n + j] * a[(row - 1) * n + j]) / b[row * n + j];
}
