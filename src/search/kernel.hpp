#pragma once
// How alike two points are, and how that is learned: two families of covariance, fitted to data by their evidence under
// weak priors, the better one kept.

#include <vector>

#include "search/features.hpp"

namespace hone::search {

struct Kernel {
  enum class Family { Exponential, Matern };
  Family family = Family::Exponential;
  Vector inverse_length;  // of each dimension
  double noise = 0.01;    // variance, relative to the signal's
  double evidence = 0;
  std::vector<bool> categorical;

  static Kernel initial(const Features& features, Family family);
  /// Correlation of one point with each row of `points`.
  Vector correlations(const Eigen::Ref<const Eigen::RowVectorXd>& point, const Matrix& points) const;
};

/// The better of both families on (points, targets), each started from where it ended last time. `repeats` is how often
/// each point was measured: its noise shrinks accordingly.
Kernel fit_kernel(const Matrix& points, const Vector& targets, const Vector& repeats, std::vector<Kernel>& starts,
                  int sweeps);

}  // namespace hone::search
