#pragma once
// The strategies that do not learn: every point in order, and uniform random points.

#include "search/strategy_base.hpp"

namespace hone::search {

class Exhaustive : public PointStrategy {
 public:
  using PointStrategy::PointStrategy;

 protected:
  std::optional<Point> choose() override;

 private:
  std::uint64_t next_ = 0;
  std::vector<Point> list_;  // only when the region cannot be walked by position
};

class RandomSearch : public PointStrategy {
 public:
  using PointStrategy::PointStrategy;

 protected:
  std::optional<Point> choose() override { return fresh_sample(); }
};

}  // namespace hone::search
