#include "plate.hpp"

#include <cmath>
#include <cstddef>
#include <random>

std::vector<float> random_plate(int n, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> uniform(-10.0f, 10.0f);
  std::vector<float> plate(static_cast<std::size_t>(n) * n);
  for (float& cell : plate) cell = uniform(engine);
  return plate;
}

long count_wrong(const std::vector<float>& start, const std::vector<float>& end, int n, int steps) {
  std::vector<double> a(start.begin(), start.end()), b(a);
  const std::size_t width = n;
  for (int t = 0; t < steps; ++t) {
    for (std::size_t i = 1; i + 1 < width; ++i)
      for (std::size_t c = i * width + 1; c + 1 < (i + 1) * width; ++c) b[c] = 0.2 * (a[c] + a[c - 1] + a[c + 1] + a[c + width] + a[c - width]);
    a.swap(b);
  }
  long wrong = 0;
  for (std::size_t c = 0; c < a.size(); ++c) wrong += !(std::fabs(a[c] - end[c]) <= 1e-5);
  return wrong;
}
