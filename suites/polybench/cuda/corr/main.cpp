#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "correlation.h"

namespace {

void expect(cudaError_t status, const char* where) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "corr: %s: %s\n", where, cudaGetErrorString(status));
  std::exit(2);
}

/// Three hidden factors with different weights for each variable, and noise: correlations of all signs and sizes.
std::vector<float> observations(int n, int m) {
  std::mt19937 engine(2024);
  auto uniform = [&] { return static_cast<double>(engine()) / 4294967296.0 * 2.0 - 1.0; };
  std::vector<double> weights(3 * static_cast<size_t>(m));
  for (double& weight : weights) weight = uniform();
  std::vector<float> data(static_cast<size_t>(n) * m);
  for (int i = 0; i < n; i++) {
    const double factors[3] = {uniform(), uniform(), uniform()};
    for (int j = 0; j < m; j++) {
      double value = 0.5 * uniform() + 0.01 * (j % 7);
      for (int f = 0; f < 3; f++) value += factors[f] * weights[3 * static_cast<size_t>(j) + f];
      data[static_cast<size_t>(i) * m + j] = static_cast<float>(value);
    }
  }
  return data;
}

int count_wrong(const std::vector<float>& data, const std::vector<float>& matrix, int n, int m) {
  std::vector<double> columns(static_cast<size_t>(n) * m);  // one variable after the other, normalised
  for (int j = 0; j < m; j++) {
    double* column = &columns[static_cast<size_t>(j) * n];
    double mean = 0.0, square = 0.0;
    for (int i = 0; i < n; i++) mean += (column[i] = data[static_cast<size_t>(i) * m + j]);
    mean /= n;
    for (int i = 0; i < n; i++) square += (column[i] - mean) * (column[i] - mean);
    double deviation = std::sqrt(square / n);
    if (deviation <= 0.005) deviation = 1.0;
    for (int i = 0; i < n; i++) column[i] = (column[i] - mean) / (std::sqrt(static_cast<double>(n)) * deviation);
  }
  int wrong = 0;
  for (int a = 0; a < m; a++)
    for (int b = a; b < m; b++) {
      double sum = 0.0;
      for (int i = 0; i < n; i++)
        sum += columns[static_cast<size_t>(a) * n + i] * columns[static_cast<size_t>(b) * n + i];
      if (a == b) sum = 1.0;
      wrong += !(std::fabs(matrix[static_cast<size_t>(a) * m + b] - sum) <= 2e-5);
      wrong += !(std::fabs(matrix[static_cast<size_t>(b) * m + a] - sum) <= 2e-5);
    }
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  const int m = argc > 1 ? std::atoi(argv[1]) : 768;
  const int n = argc > 2 ? std::atoi(argv[2]) : m;
  if (m < 1 || n < 2) {
    std::fprintf(stderr, "usage: corr [variables [observations]]\n");
    return 2;
  }
  const std::vector<float> data = observations(n, m);
  float *d_data, *d_mean, *d_deviation, *d_matrix;
  const size_t matrix_bytes = sizeof(float) * m * m;
  expect(cudaMalloc((void**)&d_data, data.size() * sizeof(float)), "data");
  expect(cudaMalloc((void**)&d_mean, m * sizeof(float)), "mean");
  expect(cudaMalloc((void**)&d_deviation, m * sizeof(float)), "deviation");
  expect(cudaMalloc((void**)&d_matrix, matrix_bytes), "matrix");
  cudaEvent_t start, stop;
  expect(cudaEventCreate(&start), "event");
  expect(cudaEventCreate(&stop), "event");
  float ms = 0.0f;
  for (int pass = 0; pass < 2; pass++) {
    expect(cudaMemcpy(d_data, data.data(), data.size() * sizeof(float), cudaMemcpyHostToDevice), "upload");
    expect(cudaMemset(d_matrix, 0xff, matrix_bytes), "poison");
    expect(cudaEventRecord(start), "record");
    column_statistics(d_data, d_mean, d_deviation, n, m);
    normalise(d_data, d_mean, d_deviation, n, m);
    correlate(d_data, d_matrix, n, m);
    expect(cudaGetLastError(), "launch");
    expect(cudaEventRecord(stop), "record");
    expect(cudaEventSynchronize(stop), "kernels");
    expect(cudaEventElapsedTime(&ms, start, stop), "time");
  }
  std::vector<float> matrix(static_cast<size_t>(m) * m);
  expect(cudaMemcpy(matrix.data(), d_matrix, matrix_bytes, cudaMemcpyDeviceToHost), "download");
  const int wrong = count_wrong(data, matrix, n, m);
  std::printf("kernel_ms %.4f\ncheck %s\n", ms, wrong ? "FAILED" : "OK");
  cudaFree(d_data);
  cudaFree(d_mean);
  cudaFree(d_deviation);
  cudaFree(d_matrix);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  return wrong ? 1 : 0;
}
