#pragma once
// Points as coordinates that a smooth model can use: tile sizes by their logarithm, other numbers by value, categories
// by identity. Parameters with one value carry nothing and are left out. Where sizes are not in the order of how often
// 2 divides them, that is a coordinate of its own: 48 lies between 32 and 64 and is like neither.

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "search/region.hpp"

namespace hone::search {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Points by which of its values each parameter has: a row for each point, a column for each parameter with several.
using Positions = Eigen::Array<std::uint16_t, Eigen::Dynamic, Eigen::Dynamic>;

struct Dimension {
  std::size_t column;               // of Positions
  std::vector<double> coordinates;  // of the parameter's values, within [0, 1]
  bool categorical = false;         // two different values are simply different
};

class Features {
 public:
  explicit Features(const Space& space);
  const std::vector<Dimension>& dimensions() const { return *dimensions_; }
  /// The same, for those who outlive this.
  std::shared_ptr<const std::vector<Dimension>> shared() const { return dimensions_; }
  /// How many parameters have more than one value. Theirs are the first dimensions, the others are alignments.
  std::size_t placed() const { return parameters_.size(); }
  std::size_t parameter(std::size_t column) const { return parameters_[column]; }
  Positions embed(const std::vector<Point>& points) const;
  /// Squared distance from the middle of the cube; categories do not count.
  double eccentricity(const Point& point) const;
  double distance(const Point& a, const Point& b) const;

 private:
  double coordinate(const Point& point, std::size_t column) const {
    return dimensions()[column].coordinates[point[parameters_[column]]];
  }

  std::vector<std::size_t> parameters_;  // of the columns
  std::shared_ptr<const std::vector<Dimension>> dimensions_;
};

}  // namespace hone::search
