#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "kernels.h"

namespace {

void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(2);
}

using Matrix = std::vector<float>;

Matrix random_matrix(int rows, int columns, unsigned seed) {
  std::mt19937 engine(seed);
  Matrix m(static_cast<size_t>(rows) * columns);
  for (float& value : m) value = static_cast<float>(engine() >> 8) / 16777216.0f - 0.25f;
  return m;
}

float* upload(const Matrix& m) {
  float* device = nullptr;
  must(cudaMalloc(reinterpret_cast<void**>(&device), m.size() * sizeof(float)), "cudaMalloc");
  must(cudaMemcpy(device, m.data(), m.size() * sizeof(float), cudaMemcpyHostToDevice), "copy to the device");
  return device;
}

/// factor * left * right with the sum of the terms' sizes beside it.
struct Exact {
  std::vector<double> value, size;
};

Exact product(const std::vector<double>& left, const std::vector<double>& left_size, const Matrix& right, double factor,
              int rows, int inner, int columns) {
  Exact e{std::vector<double>(static_cast<size_t>(rows) * columns),
          std::vector<double>(static_cast<size_t>(rows) * columns)};
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < inner; ++k) {
      const double x = factor * left[static_cast<size_t>(i) * inner + k];
      const double s = std::fabs(factor) * left_size[static_cast<size_t>(i) * inner + k];
      const float* row = &right[static_cast<size_t>(k) * columns];
      double* value = &e.value[static_cast<size_t>(i) * columns];
      double* size = &e.size[static_cast<size_t>(i) * columns];
      for (int j = 0; j < columns; ++j) {
        value[j] += x * row[j];
        size[j] += s * std::fabs(row[j]);
      }
    }
  return e;
}

}  // namespace

int main(int argc, char** argv) {
  const int ni = argc > 1 ? std::atoi(argv[1]) : 768;
  const int nj = argc > 2 ? std::atoi(argv[2]) : ni;
  const int nk = argc > 3 ? std::atoi(argv[3]) : ni;
  const int nl = argc > 4 ? std::atoi(argv[4]) : ni;
  if (ni < 1 || nj < 1 || nk < 1 || nl < 1) {
    std::fprintf(stderr, "usage: %s [ni [nj nk nl]]\n", argv[0]);
    return 2;
  }
  const float alpha = 1.5f, beta = -1.2f;
  const Matrix a = random_matrix(ni, nk, 11), b = random_matrix(nk, nj, 12), c = random_matrix(nj, nl, 13),
               d = random_matrix(ni, nl, 14);
  float *d_a = upload(a), *d_b = upload(b), *d_c = upload(c), *d_d = upload(d), *d_tmp = nullptr;
  const size_t tmp_bytes = sizeof(float) * ni * nj;
  must(cudaMalloc(reinterpret_cast<void**>(&d_tmp), tmp_bytes), "cudaMalloc");

  cudaEvent_t begin, end;
  must(cudaEventCreate(&begin), "cudaEventCreate");
  must(cudaEventCreate(&end), "cudaEventCreate");
  auto run = [&] {
    must(cudaMemset(d_tmp, 0xff, tmp_bytes), "cudaMemset");  // NaN
    must(cudaMemcpy(d_d, d.data(), d.size() * sizeof(float), cudaMemcpyHostToDevice), "copy of D");
    must(cudaEventRecord(begin), "cudaEventRecord");
    launch_product(d_a, d_b, d_tmp, alpha, ni, nj, nk);
    launch_accumulate(d_tmp, d_c, d_d, beta, ni, nl, nj);
    must(cudaGetLastError(), "launch");
    must(cudaEventRecord(end), "cudaEventRecord");
    must(cudaEventSynchronize(end), "2mm");
    float ms = 0.0f;
    must(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
    return ms;
  };
  run();
  const float ms = run();

  Matrix result(d.size());
  must(cudaMemcpy(result.data(), d_d, result.size() * sizeof(float), cudaMemcpyDeviceToHost), "copy from the device");
  std::vector<double> wide(a.begin(), a.end()), wide_size(wide);
  for (double& value : wide_size) value = std::fabs(value);
  const Exact ab = product(wide, wide_size, b, alpha, ni, nk, nj);
  const Exact abc = product(ab.value, ab.size, c, 1.0, ni, nj, nl);
  size_t wrong = 0;
  for (size_t i = 0; i < result.size(); ++i) {
    const double old = static_cast<double>(beta) * d[i];
    if (!(std::fabs(result[i] - (abc.value[i] + old)) <= 1e-5 * (abc.size[i] + std::fabs(old)))) ++wrong;
  }
  std::printf("kernel_ms %.4f\ncheck %s\n", ms, wrong ? "FAILED" : "OK");
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  for (float* pointer : {d_a, d_b, d_c, d_d, d_tmp}) cudaFree(pointer);
  return wrong ? 1 : 0;
}
