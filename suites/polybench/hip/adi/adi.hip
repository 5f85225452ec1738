#include <cstdio>
#include <cstdlib>

#include "adi.h"

#define AT(row, column) ((row) * n + (column))

__global__ void row_forward(const float* a, float* b, float* x, const int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = 1; j < n; j++) {
    x[AT(i, j)] -= x[AT(i, j - 1)] * a[AT(i, j)] / b[AT(i, j - 1)];
    b[AT(i, j)] -= a[AT(i, j)] * a[AT(i, j)] / b[AT(i, j - 1)];
  }
}

__global__ void row_last(const float* b, float* x, const int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[AT(i, n - 1)] /= b[AT(i, n - 1)];
}

__global__ void row_back(const float* a, const float* b, float* x, const int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = n - 2; j > 0; j--) x[AT(i, j)] = (x[AT(i, j)] - x[AT(i, j - 1)] * a[AT(i, j - 1)]) / b[AT(i, j - 1)];
}

__global__ void column_forward(const float* a, float* b, float* x, const int n, const int i) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= n) return;
  x[AT(i, j)] -= x[AT(i - 1, j)] * a[AT(i, j)] / b[AT(i - 1, j)];
  b[AT(i, j)] -= a[AT(i, j)] * a[AT(i, j)] / b[AT(i - 1, j)];
}

__global__ void column_last(const float* b, float* x, const int n) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n) x[AT(n - 1, j)] /= b[AT(n - 1, j)];
}

__global__ void column_back(const float* a, const float* b, float* x, const int n, const int i) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n) x[AT(i, j)] = (x[AT(i, j)] - x[AT(i - 1, j)] * a[AT(i - 1, j)]) / b[AT(i, j)];
}

void die_on(hipError_t status, const char* file, int line) {
  if (status == hipSuccess) return;
  fprintf(stderr, "%s:%d: %s\n", file, line, hipGetErrorString(status));
  exit(2);
}

Adi::Adi(int n, const std::vector<float>& a)
    : n_(n), bytes_(a.size() * sizeof(float)), grid_((n + 255) / 256), block_(256) {
  OK(hipMalloc(&a_, bytes_));
  OK(hipMalloc(&b_, bytes_));
  OK(hipMalloc(&x_, bytes_));
  OK(hipMemcpy(a_, a.data(), bytes_, hipMemcpyHostToDevice));
  OK(hipEventCreate(&start_));
  OK(hipEventCreate(&stop_));
}

Adi::~Adi() {
  (void)hipFree(a_);
  (void)hipFree(b_);
  (void)hipFree(x_);
  (void)hipEventDestroy(start_);
  (void)hipEventDestroy(stop_);
}

void Adi::step() {
  hipLaunchKernelGGL(row_forward, grid_, block_, 0, 0, a_, b_, x_, n_);
  hipLaunchKernelGGL(row_last, grid_, block_, 0, 0, b_, x_, n_);
  hipLaunchKernelGGL(row_back, grid_, block_, 0, 0, a_, b_, x_, n_);
  for (int i = 1; i < n_; i++) hipLaunchKernelGGL(column_forward, grid_, block_, 0, 0, a_, b_, x_, n_, i);
  hipLaunchKernelGGL(column_last, grid_, block_, 0, 0, b_, x_, n_);
  for (int i = n_ - 2; i > 0; i--) hipLaunchKernelGGL(column_back, grid_, block_, 0, 0, a_, b_, x_, n_, i);
  OK(hipGetLastError());
}

float Adi::run(const std::vector<float>& x, const std::vector<float>& b, int steps) {
  OK(hipMemcpy(x_, x.data(), bytes_, hipMemcpyHostToDevice));
  OK(hipMemcpy(b_, b.data(), bytes_, hipMemcpyHostToDevice));
  OK(hipEventRecord(start_));
  for (int t = 0; t < steps; t++) step();
  OK(hipEventRecord(stop_));
  OK(hipEventSynchronize(stop_));
  float ms = 0.0f;
  OK(hipEventElapsedTime(&ms, start_, stop_));
  return ms;
}

std::vector<float> Adi::host(const float* device) const {
  std::vector<float> copy(bytes_ / sizeof(float));
  OK(hipMemcpy(copy.data(), device, bytes_, hipMemcpyDeviceToHost));
  return copy;
}
