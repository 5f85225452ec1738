#include "matrix.hpp"

#include <cmath>
#include <cstddef>
#include <random>

std::vector<float> dominant_matrix(int n, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  std::vector<float> a(static_cast<std::size_t>(n) * n);
  for (float& value : a) value = uniform(engine);
  for (int i = 0; i < n; ++i) a[static_cast<std::size_t>(i) * n + i] += 2.5f * std::sqrt(static_cast<float>(n));
  return a;
}

long count_wrong(const std::vector<float>& a, const std::vector<float>& lu, int n) {
  std::vector<double> e(a.begin(), a.end());
  for (int k = 0; k < n; ++k) {
    double* pivot = &e[static_cast<std::size_t>(k) * n];
    for (int j = k + 1; j < n; ++j) pivot[j] /= pivot[k];
    for (int i = k + 1; i < n; ++i) {
      double* row = &e[static_cast<std::size_t>(i) * n];
      for (int j = k + 1; j < n; ++j) row[j] -= row[k] * pivot[j];
    }
  }
  long wrong = 0;
  for (std::size_t i = 0; i < e.size(); ++i) wrong += !(std::fabs(e[i] - lu[i]) <= 1e-5 * (1.0 + std::fabs(e[i])));
  return wrong;
}
