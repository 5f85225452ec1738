#pragma once
// Points as coordinates that a smooth model can use: tile sizes by their logarithm, other numbers by value, categories
// by identity. Parameters with one value carry nothing and are left out. Where sizes are not in the order of how often
// 2 divides them, that is a coordinate of its own: 48 lies between 32 and 64 and is like neither.

#include <Eigen/Core>
#include <vector>

#include "search/region.hpp"

namespace hone::search {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

class Features {
 public:
  explicit Features(const Space& space);
  std::size_t dimensions() const { return coordinates_.size(); }
  /// True where two different values are simply different.
  bool categorical(std::size_t dimension) const { return categorical_[dimension]; }
  /// One row for each point, every coordinate within [0, 1].
  Matrix embed(const std::vector<Point>& points) const;
  double coordinate(const Point& point, std::size_t dimension) const {
    return coordinates_[dimension][point[parameters_[dimension]]];
  }
  /// How many parameters have more than one value. Theirs are the first dimensions, the others are alignments.
  std::size_t placed() const { return placed_; }
  std::size_t parameter(std::size_t dimension) const { return parameters_[dimension]; }
  /// Squared distance from the middle of the cube; categories do not count.
  double eccentricity(const Point& point) const;
  double distance(const Point& a, const Point& b) const;

 private:
  std::size_t placed_ = 0;  // dimensions before the alignments
  std::vector<std::size_t> parameters_;
  std::vector<std::vector<double>> coordinates_;
  std::vector<bool> categorical_;
};

}  // namespace hone::search
