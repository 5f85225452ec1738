#include "matrix.hpp"

#include <algorithm>
#include <cmath>
#include <random>

Matrix random_matrix(int rows, int columns, unsigned seed) {
  std::minstd_rand random(seed);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  Matrix made(rows, columns);
  for (float& value : made.values) value = uniform(random);
  return made;
}

double largest_error(const Matrix& a, const Matrix& b, const Matrix& c) {
  double worst = 0.0;
  std::vector<double> row(b.columns);
  for (int i = 0; i < a.rows; i++) {
    std::fill(row.begin(), row.end(), 0.0);
    for (int k = 0; k < a.columns; k++) {
      const double factor = a.values[static_cast<std::size_t>(i) * a.columns + k];
      for (int j = 0; j < b.columns; j++) row[j] += factor * b.values[static_cast<std::size_t>(k) * b.columns + j];
    }
    for (int j = 0; j < b.columns; j++) {
      const double error = std::fabs(c.values[static_cast<std::size_t>(i) * c.columns + j] - row[j]);
      worst = std::isnan(error) ? INFINITY : std::max(worst, error);
    }
  }
  return worst;
}
