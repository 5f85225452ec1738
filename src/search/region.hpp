#pragma once
// The valid points of a Space. In: parameters and constraints. Out: a layered graph in which every path from the root
// is one valid point; partial assignments that leave the same possibilities share a node, so that counting, sampling
// and testing never list the points, however many there are.
//
// When a constraint would make the graph too large it is left out from there on and checked on each sample instead
// (`exact()` is then false): sampling stays uniform over the valid points, only the count becomes an upper bound.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/space.hpp"
#include "search/random.hpp"

namespace hone::search {

/// The index of each parameter's value, in the order of the Space's parameters.
using Point = std::vector<std::uint16_t>;
/// Exact up to 2^64, then rounded.
using Count = long double;

struct RegionLimits {
  /// Edges of the graph; beyond, constraints are left to sampling.
  std::size_t edges = 3'000'000;
};

class Region {
 public:
  /// `known` gives values of names that are not parameters (device limits). E-SPACE when a name is unknown, a parameter
  /// has no value, or nothing is valid.
  static Result<Region> build(const Space& space, const Expression::Environment& known = {}, RegionLimits limits = {});

  /// Exactly these points, for a space whose constraints are not known. E-SPACE when a value is not its parameter's.
  static Result<Region> of(const Space& space, const std::vector<Configuration>& configurations);

  const Space& space() const { return space_; }
  std::size_t dimensions() const { return space_.parameters.size(); }
  std::size_t size_of(std::size_t parameter) const { return space_.parameters[parameter].values.size(); }
  /// Points of the product, before constraints.
  Count product() const;
  /// Valid points; an upper bound when not exact().
  Count count() const { return count_; }
  bool exact() const { return unchecked_.empty(); }
  std::size_t edges() const;

  bool contains(const Point& point) const;
  /// Uniform over the valid points. Nothing only when not exact() and no valid point was hit in many tries.
  std::optional<Point> sample(Random& random) const;
  /// The point at a position of the graph's order; valid when exact() and position < count().
  Point at(std::uint64_t position) const;
  /// All valid points, at most `most`.
  std::vector<Point> list(std::size_t most) const;
  /// Valid points that differ in one parameter; `adjacent` keeps to the next value up and down.
  std::vector<Point> neighbours(const Point& point, bool adjacent) const;

  Configuration configuration(const Point& point) const;
  /// Nothing when a value is not one of its parameter's or a parameter is missing.
  std::optional<Point> point(const Configuration& configuration) const;

 private:
  /// The point that `rest` points lie before, in the graph's order; `begin_level` may draw the rest anew, of all that
  /// lie below a node.
  template <class Begin>
  Point descend(Count rest, const Begin& begin_level) const;
  friend class RegionBuilder;
  static constexpr std::uint32_t none = 0xffffffffU;

  struct Level {
    std::size_t parameter = 0;
    std::vector<std::uint32_t> child;  // [node * size_of(parameter) + value]
    std::vector<Count> below;          // valid completions of each node
  };

  /// Completions of every node, from the last level up; edges that lead nowhere are cut.
  void count_completions();
  bool passes(const Point& point) const;
  void list_from(std::size_t level, std::uint32_t node, Point& point, std::size_t most, std::vector<Point>& out) const;

  Space space_;
  std::vector<Level> levels_;
  std::vector<Expression> unchecked_;  // constraints the graph does not hold
  Count count_ = 0;
};

}  // namespace hone::search
