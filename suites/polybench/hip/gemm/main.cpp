#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "gemm_kernel.h"

#define HIP_CHECK(command)                                                                      \
  {                                                                                             \
    hipError_t status = command;                                                                \
    if (status != hipSuccess) {                                                                 \
      std::fprintf(stderr, "%s, line %d: %s\n", __FILE__, __LINE__, hipGetErrorString(status)); \
      std::exit(2);                                                                             \
    }                                                                                           \
  }

/// A matrix in both memories.
class Matrix {
 public:
  Matrix(int rows, int columns, unsigned seed) : values(size_t(rows) * columns) {
    std::minstd_rand engine(seed);
    for (float& v : values) v = float(engine() % 20001) / 10000.0f - 1.0f;
    HIP_CHECK(hipMalloc(&device, bytes()));
    to_device();
  }
  ~Matrix() { (void)hipFree(device); }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
  size_t bytes() const { return values.size() * sizeof(float); }
  void to_device() { HIP_CHECK(hipMemcpy(device, values.data(), bytes(), hipMemcpyHostToDevice)); }
  std::vector<float> from_device() const {
    std::vector<float> copy(values.size());
    HIP_CHECK(hipMemcpy(copy.data(), device, bytes(), hipMemcpyDeviceToHost));
    return copy;
  }

  std::vector<float> values;
  float* device = nullptr;
};

static bool check(const Matrix& a, const Matrix& b, const Matrix& c, double alpha, double beta, int ni, int nj,
                  int nk) {
  const std::vector<float> result = c.from_device();
  std::vector<double> exact(nj), size(nj);
  for (int i = 0; i < ni; ++i) {
    for (int j = 0; j < nj; ++j) size[j] = std::fabs(exact[j] = beta * c.values[size_t(i) * nj + j]);
    for (int k = 0; k < nk; ++k) {
      const double left = alpha * a.values[size_t(i) * nk + k];
      for (int j = 0; j < nj; ++j) {
        const double term = left * b.values[size_t(k) * nj + j];
        exact[j] += term;
        size[j] += std::fabs(term);
      }
    }
    for (int j = 0; j < nj; ++j)
      if (!(std::fabs(result[size_t(i) * nj + j] - exact[j]) <= 1e-5 * size[j])) return false;
  }
  return true;
}

int main(int argc, char** argv) {
  const int ni = argc > 1 ? std::atoi(argv[1]) : 1024;
  const int nj = argc > 2 ? std::atoi(argv[2]) : ni;
  const int nk = argc > 3 ? std::atoi(argv[3]) : ni;
  if (ni < 1 || nj < 1 || nk < 1) {
    std::fprintf(stderr, "usage: gemm [ni [nj nk]]\n");
    return 2;
  }
  constexpr int side = 16;
  const float alpha = 1.25f, beta = 0.75f;
  Matrix a(ni, nk, 1), b(nk, nj, 2), c(ni, nj, 3);
  const dim3 grid((nj + side - 1) / side, (ni + side - 1) / side), block(side, side);
  hipEvent_t start, stop;
  HIP_CHECK(hipEventCreate(&start));
  HIP_CHECK(hipEventCreate(&stop));
  float ms = 0.0f;
  for (int pass = 0; pass < 2; ++pass) {
    c.to_device();
    HIP_CHECK(hipEventRecord(start, nullptr));
    hipLaunchKernelGGL((gemm<float, side>), grid, block, 0, 0, a.device, b.device, c.device, alpha, beta, ni, nj, nk);
    HIP_CHECK(hipGetLastError());
    HIP_CHECK(hipEventRecord(stop, nullptr));
    HIP_CHECK(hipEventSynchronize(stop));
    HIP_CHECK(hipEventElapsedTime(&ms, start, stop));
  }
  const bool ok = check(a, b, c, alpha, beta, ni, nj, nk);
  std::printf("kernel_ms %.4f\ncheck %s\n", ms, ok ? "OK" : "FAILED");
  HIP_CHECK(hipEventDestroy(start));
  HIP_CHECK(hipEventDestroy(stop));
  return ok ? 0 : 1;
}
