#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "syr2k.h"

static void expect(hipError_t status, const char* call) {
  if (status == hipSuccess) return;
  std::fprintf(stderr, "%s: %s\n", call, hipGetErrorString(status));
  std::exit(2);
}
#define EXPECT(call) expect((call), #call)

static float* clone(const std::vector<float>& from) {
  void* to = nullptr;
  EXPECT(hipMalloc(&to, from.size() * sizeof(float)));
  EXPECT(hipMemcpy(to, from.data(), from.size() * sizeof(float), hipMemcpyHostToDevice));
  return static_cast<float*>(to);
}

static std::vector<float> golden(size_t count, double ratio) {
  std::vector<float> v(count);
  for (size_t i = 0; i < count; i++) {
    const double x = ratio * double(i + 1);
    v[i] = float(2.0 * (x - std::floor(x)) - 1.0);
  }
  return v;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 640;
  int m = argc > 2 ? std::atoi(argv[2]) : n;
  if (n < 1 || m < 1) {
    std::fprintf(stderr, "usage: syr2k [n [m]]\n");
    return 2;
  }
  float alpha = 0.7f, beta = 1.3f;
  const std::vector<float> a = golden(size_t(n) * m, 0.6180339887), b = golden(size_t(n) * m, 0.7548776662),
                           c = golden(size_t(n) * n, 0.8191725134);
  float *d_a = clone(a), *d_b = clone(b), *d_c = clone(c);
  const dim3 block(32, 8), grid((n - 1) / 32 + 1, (n - 1) / 8 + 1);
  void* arguments[] = {&d_a, &d_b, &d_c, &alpha, &beta, &n, &m};
  hipStream_t stream;
  hipEvent_t start, stop;
  EXPECT(hipStreamCreate(&stream));
  EXPECT(hipEventCreate(&start));
  EXPECT(hipEventCreate(&stop));
  float ms = 0.0f;
  for (int pass = 0; pass < 2; pass++) {
    EXPECT(hipMemcpyAsync(d_c, c.data(), c.size() * sizeof(float), hipMemcpyHostToDevice, stream));
    EXPECT(hipEventRecord(start, stream));
    EXPECT(hipLaunchKernel(reinterpret_cast<const void*>(syr2k), grid, block, arguments, 0, stream));
    EXPECT(hipEventRecord(stop, stream));
    EXPECT(hipStreamSynchronize(stream));
    EXPECT(hipEventElapsedTime(&ms, start, stop));
  }
  std::vector<float> result(c.size());
  EXPECT(hipMemcpy(result.data(), d_c, c.size() * sizeof(float), hipMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const size_t left = size_t(i) * m, right = size_t(j) * m;
      double exact = double(beta) * c[size_t(i) * n + j], size = std::fabs(exact);
      for (int k = 0; k < m; k++) {
        const double one = double(a[left + k]) * b[right + k], two = double(b[left + k]) * a[right + k];
        exact += alpha * (one + two);
        size += alpha * (std::fabs(one) + std::fabs(two));
      }
      wrong += !(std::fabs(result[size_t(i) * n + j] - exact) <= 1e-5 * size);
    }
  std::printf("kernel_ms %.4f\ncheck %s\n", ms, wrong ? "FAILED" : "OK");
  for (float* p : {d_a, d_b, d_c}) EXPECT(hipFree(p));
  EXPECT(hipEventDestroy(start));
  EXPECT(hipEventDestroy(stop));
  EXPECT(hipStreamDestroy(stream));
  return wrong ? 1 : 0;
}
