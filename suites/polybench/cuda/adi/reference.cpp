#include "reference.h"

#include <cmath>

namespace {
/// One line of n values, `stride` apart. Along columns the last sweep divides by its own pivot.
void sweep(const std::vector<float>& a, Reference& r, size_t first, size_t stride, int n, bool own_pivot) {
  auto at = [&](int j) { return first + j * stride; };
  for (int j = 1; j < n; j++) {
    const double factor = a[at(j)] / r.b[at(j - 1)];
    r.x[at(j)] -= r.x[at(j - 1)] * factor;
    r.size[at(j)] += r.size[at(j - 1)] * std::fabs(factor);
    r.b[at(j)] -= a[at(j)] * factor;
  }
  r.x[at(n - 1)] /= r.b[at(n - 1)];
  r.size[at(n - 1)] /= std::fabs(r.b[at(n - 1)]);
  for (int j = n - 2; j >= 1; j--) {
    const double pivot = r.b[at(own_pivot ? j : j - 1)];
    r.x[at(j)] = (r.x[at(j)] - r.x[at(j - 1)] * a[at(j - 1)]) / pivot;
    r.size[at(j)] = (r.size[at(j)] + r.size[at(j - 1)] * std::fabs(a[at(j - 1)])) / std::fabs(pivot);
  }
}
}  // namespace

Reference adi_reference(const std::vector<float>& a, const std::vector<float>& b, const std::vector<float>& x, int n,
                        int steps) {
  Reference r{{x.begin(), x.end()}, {b.begin(), b.end()}, {x.begin(), x.end()}};
  for (double& value : r.size) value = std::fabs(value);
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++) sweep(a, r, size_t(i) * n, 1, n, false);
    for (int j = 0; j < n; j++) sweep(a, r, j, n, n, true);
  }
  return r;
}
