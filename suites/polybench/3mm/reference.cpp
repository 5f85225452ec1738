#include "reference.hpp"

#include <cmath>

namespace {

template <class Left, class Right>
std::vector<double> product(const Left& left, const Right& right, int rows, int columns, int inner) {
  std::vector<double> out(static_cast<size_t>(rows) * columns, 0.0);
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < inner; ++k) {
      const double factor = left[static_cast<size_t>(i) * inner + k];
      for (int j = 0; j < columns; ++j) out[static_cast<size_t>(i) * columns + j] += factor * right[static_cast<size_t>(k) * columns + j];
    }
  return out;
}

}  // namespace

long count_wrong(const Sizes& s, const Matrix& a, const Matrix& b, const Matrix& c, const Matrix& d, const Matrix& out) {
  const auto e = product(a, b, s.ni, s.nj, s.nk);
  const auto f = product(c, d, s.nj, s.nl, s.nm);
  const auto g = product(e, f, s.ni, s.nl, s.nj);
  const double typical = std::sqrt(double(s.nk) * s.nj * s.nm / 27.0);  // of a sum of products of uniform values
  long wrong = 0;
  for (size_t i = 0; i < g.size(); ++i) wrong += !(std::fabs(g[i] - out[i]) <= 1e-5 * typical + 1e-5 * std::fabs(g[i]));
  return wrong;
}
