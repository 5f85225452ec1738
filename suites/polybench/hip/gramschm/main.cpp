#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "kernels.h"

#define CHECK(call)                                                                    \
  do {                                                                                 \
    const hipError_t code = (call);                                                    \
    if (code != hipSuccess) {                                                          \
      std::fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, hipGetErrorString(code)); \
      std::exit(2);                                                                    \
    }                                                                                  \
  } while (0)

static std::vector<float> independent_columns(int rows, int columns) {
  std::vector<float> a(size_t(rows) * columns);
  unsigned s = 17;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      s = s * 1103515245u + 12345u;
      a[size_t(i) * columns + j] = float((s >> 10) & 0xffff) / 32768.0f - 1.0f + (i == j ? 5.0f : 0.0f);
    }
  return a;
}

static int verify(const std::vector<float>& a, const std::vector<float>& q, const std::vector<float>& r, int rows,
                  int columns) {
  std::vector<std::vector<double>> column(columns, std::vector<double>(rows));
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < rows; i++) column[j][i] = a[size_t(i) * columns + j];
  const double longest = std::sqrt(double(rows)) + 5.0;
  int wrong = 0;
  for (int k = 0; k < columns; k++) {
    double length = 0.0;
    for (double v : column[k]) length += v * v;
    length = std::sqrt(length);
    wrong += !(std::fabs(r[size_t(k) * columns + k] - length) <= 1e-5 * longest);
    for (int i = 0; i < rows; i++) {
      column[k][i] /= length;
      wrong += !(std::fabs(q[size_t(i) * columns + k] - column[k][i]) <= 5e-5);
    }
    for (int j = k + 1; j < columns; j++) {
      double share = 0.0;
      for (int i = 0; i < rows; i++) share += column[k][i] * column[j][i];
      wrong += !(std::fabs(r[size_t(k) * columns + j] - share) <= 1e-5 * longest);
      for (int i = 0; i < rows; i++) column[j][i] -= share * column[k][i];
    }
  }
  return wrong;
}

int main(int argc, char** argv) {
  const int rows = argc > 1 ? std::atoi(argv[1]) : 1024;
  const int columns = argc > 2 ? std::atoi(argv[2]) : rows / 2;
  if (columns < 1 || rows < columns) {
    std::fprintf(stderr, "usage: gramschm [rows [columns]], no more columns than rows\n");
    return 2;
  }
  const std::vector<float> a = independent_columns(rows, columns);
  std::vector<float> q(a.size()), r(size_t(columns) * columns);
  float *d_a, *d_q, *d_r;
  CHECK(hipMalloc(&d_a, a.size() * sizeof(float)));
  CHECK(hipMalloc(&d_q, q.size() * sizeof(float)));
  CHECK(hipMalloc(&d_r, r.size() * sizeof(float)));
  hipEvent_t start, stop;
  CHECK(hipEventCreate(&start));
  CHECK(hipEventCreate(&stop));
  float ms = 0.0f;
  for (int pass = 0; pass < 2; pass++) {
    CHECK(hipMemcpy(d_a, a.data(), a.size() * sizeof(float), hipMemcpyHostToDevice));
    CHECK(hipMemset(d_q, 0xff, q.size() * sizeof(float)));
    CHECK(hipMemset(d_r, 0xff, r.size() * sizeof(float)));
    CHECK(hipEventRecord(start));
    for (int k = 0; k < columns; k++) CHECK(gram_schmidt_column(d_a, d_q, d_r, k, rows, columns));
    CHECK(hipEventRecord(stop));
    CHECK(hipEventSynchronize(stop));
    CHECK(hipEventElapsedTime(&ms, start, stop));
  }
  CHECK(hipMemcpy(q.data(), d_q, q.size() * sizeof(float), hipMemcpyDeviceToHost));
  CHECK(hipMemcpy(r.data(), d_r, r.size() * sizeof(float), hipMemcpyDeviceToHost));
  const int wrong = verify(a, q, r, rows, columns);
  std::printf("kernel_ms %.3f\ncheck %s\n", ms, wrong ? "FAILED" : "OK");
  CHECK(hipFree(d_a));
  CHECK(hipFree(d_q));
  CHECK(hipFree(d_r));
  CHECK(hipEventDestroy(start));
  CHECK(hipEventDestroy(stop));
  return wrong ? 1 : 0;
}
