#pragma once
// A Gaussian process over the points seen so far and a fixed set of candidates: adding a point costs one row, changing
// the target values costs no factorisation at all.

#include <vector>

#include "search/kernel.hpp"

namespace hone::search {

/// A trend the model may follow besides its constant: the mean that earlier data predicts, at observations and
/// candidates. Its slope is learned with a prior around `slope`.
struct Trend {
  Vector at_points, at_candidates;
  double slope = 0.7, slope_spread = 0.7;
};

class Surrogate {
 public:
  Surrogate() = default;
  /// Candidates are rows. `capacity` is how many points may be added in all.
  Surrogate(Kernel kernel, Positions candidates, std::size_t capacity);
  std::size_t size() const { return static_cast<std::size_t>(n_); }
  std::size_t capacity() const { return static_cast<std::size_t>(points_.rows()); }
  void add(const PositionsRow& point, double repeats = 1);
  void add_all(const Positions& points, const Vector& repeats);

  struct Prediction {
    Vector mean, deviation;  // at the candidates
    Vector fitted;           // at the points
    double scale = 1;        // standard deviation of the signal
    double slope = 0;        // learned slope of the trend
  };
  /// Targets in the order the points were added.
  Prediction predict(const Vector& targets, const Trend* trend = nullptr) const;
  /// What the points leave open between some candidates: their joint covariance, relative to the signal's variance.
  Matrix left_open(const std::vector<Eigen::Index>& which) const;
  const Kernel& kernel() const { return kernel_; }

 private:
  Kernel kernel_;
  Positions candidates_, points_;
  Matrix factor_;      // lower triangle
  Matrixf solved_;     // factor^-1 * correlations with the candidates, one column for each point
  Vectorf explained_;  // of each candidate: the share of variance the points explain
  Vector repeats_;
  Eigen::Index n_ = 0;
};

/// How much of the variance of 0/1 labels is predicted by leaving each point out: 1 all, 0 none, negative when the
/// prediction does worse than the mean. Few points count as predictable.
double share_explained(const Kernel& kernel, const Positions& points, const Vector& labels);

}  // namespace hone::search
