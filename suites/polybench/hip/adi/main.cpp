#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "adi.h"

namespace {

using Line = std::vector<double>;

/// Pivots stay several times larger than the couplings, so that a result depends little on rounding.
std::vector<float> matrix(int n, unsigned seed, float low, float high) {
  std::vector<float> m(size_t(n) * n);
  for (float& value : m) {
    seed = seed * 214013u + 2531011u;
    value = low + (high - low) * float((seed >> 8) & 0xffff) / 65536.0f;
  }
  return m;
}

/// In double precision; `size` is what the values would be without any cancellation.
struct Exact {
  int n;
  std::vector<float> a;
  Line x, b, size;

  void sweep(size_t first, size_t step, bool rows) {
    auto at = [=](int k) { return first + size_t(k) * step; };
    for (int k = 1; k < n; k++) {
      const double f = a[at(k)] / b[at(k - 1)];
      x[at(k)] -= f * x[at(k - 1)];
      size[at(k)] += std::fabs(f) * size[at(k - 1)];
      b[at(k)] -= f * a[at(k)];
    }
    x[at(n - 1)] /= b[at(n - 1)];
    size[at(n - 1)] /= std::fabs(b[at(n - 1)]);
    for (int k = n - 2; k > 0; k--) {
      const double pivot = b[at(rows ? k - 1 : k)], c = a[at(k - 1)];
      x[at(k)] = (x[at(k)] - x[at(k - 1)] * c) / pivot;
      size[at(k)] = (size[at(k)] + size[at(k - 1)] * std::fabs(c)) / std::fabs(pivot);
    }
  }
  void step() {
    for (int i = 0; i < n; i++) sweep(size_t(i) * n, 1, true);
    for (int j = 0; j < n; j++) sweep(j, n, false);
  }
};

}  // namespace

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1024;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 2;
  if (n < 3 || steps < 1 || steps > 10) {
    std::fprintf(stderr, "usage: adi [n [steps]], n at least 3, at most 10 steps\n");
    return 2;
  }
  const std::vector<float> a = matrix(n, 1, 0.1f, 0.25f), b = matrix(n, 2, 1.5f, 2.0f), x = matrix(n, 3, -1.0f, 1.0f);
  Adi adi(n, a);
  adi.run(x, b, steps);
  const float ms = adi.run(x, b, steps);
  const std::vector<float> x_result = adi.x(), b_result = adi.b();

  Exact exact{n, a, Line(x.begin(), x.end()), Line(b.begin(), b.end()), Line(x.begin(), x.end())};
  for (double& s : exact.size) s = std::fabs(s);
  for (int t = 0; t < steps; t++) exact.step();
  int wrong = 0;
  for (size_t i = 0; i < x.size(); i++) {
    if (!(std::fabs(x_result[i] - exact.x[i]) <= 1e-4 * exact.size[i])) wrong++;
    if (!(std::fabs(b_result[i] - exact.b[i]) <= 1e-5)) wrong++;
  }
  std::printf("kernel_ms %.3f\ncheck %s\n", ms, wrong ? "FAILED" : "OK");
  return wrong ? 1 : 0;
}
