#pragma once
// How alike two points are: two families of covariance with a length for each dimension.

#include <vector>

#include "search/features.hpp"

namespace hone::search {

/// Candidates are many and only compared with each other: single precision is enough for them, and twice as fast.
using Matrixf = Eigen::MatrixXf;
using Vectorf = Eigen::VectorXf;

struct Kernel {
  enum class Family { Exponential, Matern };
  Family family = Family::Exponential;
  Vector inverse_length;  // of each dimension
  Vector expected;        // what each is before there is data
  double noise = 0.01;    // variance, relative to the signal's
  double evidence = 0;
  std::vector<bool> categorical;

  static Kernel initial(const Features& features, Family family);
  /// What a unit of difference in a dimension adds to the distance: |d| / l for the exponential, (d / l)^2 for Matern.
  double weight(Eigen::Index dimension) const {
    const double inverse = inverse_length[dimension];
    return family == Family::Exponential ? inverse : inverse * inverse;
  }
  /// Correlation of one point with each row of `points`.
  Vector correlations(const Eigen::Ref<const Eigen::RowVectorXd>& point, const Matrix& points) const;
  Vectorf correlations(const Eigen::Ref<const Eigen::RowVectorXd>& point, const Matrixf& points) const;
};

/// Correlation at distances that are sums of weighted differences: |d| for the exponential, d^2 for Matern.
template <class Array>
Array correlation_at(Kernel::Family family, const Array& distance) {
  if (family == Kernel::Family::Exponential) return (-distance).exp();
  using Scalar = typename Array::Scalar;
  const Array r = distance.sqrt() * static_cast<Scalar>(2.23606797749979);
  return (1 + r + r * r / 3) * (-r).exp();
}

}  // namespace hone::search
