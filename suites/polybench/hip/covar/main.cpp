#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "covar.h"

int main(int argc, char** argv) {
  const int m = argc > 1 ? std::atoi(argv[1]) : 768;
  const int n = argc > 2 ? std::atoi(argv[2]) : m;
  if (m < 1 || n < 2) {
    std::fprintf(stderr, "usage: covar [variables [observations]]\n");
    return 2;
  }
  std::mt19937 engine(123);
  std::vector<float> data(size_t(n) * m);
  float walk = 0.0f;  // neighbours in a row resemble each other
  for (float& value : data) value = walk = 0.6f * walk + static_cast<float>(engine() >> 8) / 16777216.0f - 0.3f;

  float ms = 0.0f;
  covariance_on_device(data, n, m, ms);  // warms up
  const std::vector<float> result = covariance_on_device(data, n, m, ms);
  std::vector<double> exact, variance;
  covariance_on_host(data, n, m, exact, variance);
  int wrong = 0;
  for (int a = 0; a < m; a++)
    for (int b = 0; b < m; b++) {
      const size_t at = size_t(a) * m + b;
      if (!(std::fabs(result[at] - exact[at]) <= 2e-5 * std::sqrt(variance[a] * variance[b]))) wrong++;
    }
  std::printf("kernel_ms %.4f\ncheck %s\n", ms, wrong ? "FAILED" : "OK");
  return wrong ? 1 : 0;
}
