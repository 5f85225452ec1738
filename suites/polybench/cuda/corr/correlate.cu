#include "correlation.h"

// One thread a variable: its correlation with itself and with every later one, written to both triangles.
__global__ void corr_matrix(const float* data, float* matrix, int n, int m) {
  int j1 = blockIdx.x * blockDim.x + threadIdx.x;
  if (j1 < m) {
    matrix[j1 * m + j1] = 1.0f;
    for (int j2 = j1 + 1; j2 < m; j2++) {
      float sum = 0.0f;
      for (int i = 0; i < n; i++) sum += data[i * m + j1] * data[i * m + j2];
      matrix[j1 * m + j2] = sum;
      matrix[j2 * m + j1] = sum;
    }
  }
}

void correlate(const float* data, float* matrix, int n, int m) {
  const int block = 64;
  corr_matrix<<<(m + block - 1) / block, block>>>(data, matrix, n, m);
}
