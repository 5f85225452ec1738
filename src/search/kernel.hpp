#pragma once
// How alike two points are: two families of covariance with a length for each dimension. Each dimension multiplies by
// a factor that does not fall below a share of 1, so that what a value does is learned from all points that have it,
// however they differ elsewhere: a plain product of correlations would forget it once the others differ much.

#include <memory>
#include <vector>

#include "search/features.hpp"

namespace hone::search {

/// Candidates are many and only compared with each other: single precision is enough for them, and twice as fast.
using Matrixf = Eigen::MatrixXf;
using Vectorf = Eigen::VectorXf;

using PositionsRow = Eigen::Ref<const Eigen::Array<std::uint16_t, 1, Eigen::Dynamic>, 0, Eigen::InnerStride<>>;

struct Kernel {
  enum class Family { Exponential, Matern };
  Family family = Family::Exponential;
  std::shared_ptr<const std::vector<Dimension>> dimensions;
  Vector inverse_length;  // of each dimension
  Vector expected;        // what each is before there is data
  double noise = 0.01;    // variance, relative to the signal's
  double evidence = 0;

  static Kernel initial(const Features& features, Family family);
  /// What pairs of points that differ so much in a dimension are multiplied by for it.
  Eigen::ArrayXd factor(Eigen::Index dimension, const Eigen::ArrayXd& difference) const;
  /// Correlation of one point with each row of `points`.
  Vector correlations(const PositionsRow& point, const Positions& points) const;
  Vectorf correlations_in_single(const PositionsRow& point, const Positions& points) const;
};

}  // namespace hone::search
