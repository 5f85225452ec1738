#pragma once
// What earlier outcomes of the same template elsewhere (another device, shape or run) say about a point: the mean of a
// Gaussian process over them. Only its shape is used; how far to trust it is learned from the new data.

#include <optional>
#include <vector>

#include "search/kernel.hpp"
#include "search/strategy.hpp"

namespace hone::search {

class PriorModel {
 public:
  /// Nothing when too few of the outcomes are measurements of points of this space.
  static std::optional<PriorModel> of(const std::vector<Told>& told, const Region& region, const Features& features);
  /// Expected log time, up to a constant, of each row.
  Vector mean(const Positions& points) const;
  /// The measured points from the best on.
  const std::vector<Point>& best_first() const { return best_first_; }
  const std::vector<Kernel>& kernels() const { return kernels_; }

 private:
  Kernel kernel_;
  std::vector<Kernel> kernels_;
  Positions points_;
  Vector weights_;
  double center_ = 0;
  std::vector<Point> best_first_;
};

}  // namespace hone::search
