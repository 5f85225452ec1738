#include "correlation.h"

namespace {
constexpr float kSmall = 0.005f;  // a variable that hardly varies is not scaled up

__global__ void corr_mean(const float* data, float* mean, int n, int m) {
  int j = threadIdx.x + blockDim.x * blockIdx.x;
  if (j < m) {
    float sum = 0.0f;
    for (int i = 0; i < n; i++) sum += data[i * m + j];
    mean[j] = sum / n;
  }
}

__global__ void corr_deviation(const float* data, const float* mean, float* deviation, int n, int m) {
  int j = threadIdx.x + blockDim.x * blockIdx.x;
  if (j < m) {
    float sum = 0.0f;
    for (int i = 0; i < n; i++) sum += (data[i * m + j] - mean[j]) * (data[i * m + j] - mean[j]);
    float root = sqrtf(sum / n);
    deviation[j] = root <= kSmall ? 1.0f : root;
  }
}

__global__ void corr_normalise(float* data, const float* mean, const float* deviation, int n, int m) {
  int j = threadIdx.x + blockDim.x * blockIdx.x;
  int i = threadIdx.y + blockDim.y * blockIdx.y;
  if (i < n && j < m) data[i * m + j] = (data[i * m + j] - mean[j]) / (sqrtf((float)n) * deviation[j]);
}
}  // namespace

void column_statistics(const float* data, float* mean, float* deviation, int n, int m) {
  const int block = 256, grid = (m + block - 1) / block;
  corr_mean<<<grid, block>>>(data, mean, n, m);
  corr_deviation<<<grid, block>>>(data, mean, deviation, n, m);
}

void normalise(float* data, const float* mean, const float* deviation, int n, int m) {
  const dim3 block(32, 8);
  const dim3 grid((m + 31) / 32, (n + 7) / 8);
  corr_normalise<<<grid, block>>>(data, mean, deviation, n, m);
}
