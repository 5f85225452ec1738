#pragma once
// Strategies that need no model: descent over adjacent values with restarts, and a genetic algorithm. Simple, fast, and
// the measure of what the default has to beat.

#include "search/strategy_base.hpp"

namespace hone::search {

class Descent : public PointStrategy {
 public:
  using PointStrategy::PointStrategy;

 protected:
  std::optional<Point> choose() override;

 private:
  void look_around(const Point& center);
  std::optional<Point> center_;    // of the current descent
  std::vector<Point> unexplored_;  // its neighbours, in random order
};

class Genetic : public PointStrategy {
 public:
  using PointStrategy::PointStrategy;

 protected:
  std::optional<Point> choose() override;

 private:
  const Point& parent();
  std::vector<std::size_t> fittest_;
};

}  // namespace hone::search
