#pragma once

#include <vector>

struct Matrix {
  int rows = 0;
  int columns = 0;
  std::vector<float> values;

  Matrix(int rows, int columns) : rows(rows), columns(columns), values(static_cast<std::size_t>(rows) * columns) {}
  std::size_t bytes() const { return values.size() * sizeof(float); }
};

Matrix random_matrix(int rows, int columns, unsigned seed);

/// Largest distance between c and a * b computed in double precision; NaN in c counts as infinity.
double largest_error(const Matrix& a, const Matrix& b, const Matrix& c);
