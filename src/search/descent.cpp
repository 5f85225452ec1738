#include "search/descent.hpp"

#include <algorithm>

namespace hone::search {

namespace {

constexpr std::size_t population = 20;
constexpr int breeding_tries = 50;
constexpr double mutation_share = 0.1;

}  // namespace

void Descent::look_around(const Point& center) {
  center_ = center;
  unexplored_ = region().neighbours(center, true);
  random().shuffle(unexplored_);
}

std::optional<Point> Descent::choose() {
  // Move as soon as a neighbour is better; begin anew when none is.
  const Record* here = center_ ? history().find(*center_) : nullptr;
  if (here != nullptr && here->measured()) {
    for (const auto& point : region().neighbours(*center_, true)) {
      const Record* there = history().find(point);
      if (there == nullptr || !there->measured() || there->mean_log() >= here->mean_log()) continue;
      look_around(point);
      break;
    }
    while (!unexplored_.empty()) {
      auto point = std::move(unexplored_.back());
      unexplored_.pop_back();
      if (!history().known(point)) return point;
    }
  }
  auto start = fresh_sample();
  if (start) look_around(*start);
  return start;
}

/// The better of two of the fittest, drawn at random.
const Point& Genetic::parent() {
  const auto a = random().below(fittest_.size()), b = random().below(fittest_.size());
  return history().point(fittest_[std::min(a, b)]);
}

std::optional<Point> Genetic::choose() {
  if (history().size() < population) return fresh_sample();
  fittest_.clear();
  for (std::size_t i = 0; i < history().size(); ++i) {
    if (history().record(i).measured()) fittest_.push_back(i);
  }
  if (fittest_.size() < 2) return fresh_sample();
  std::sort(fittest_.begin(), fittest_.end(), [&](std::size_t a, std::size_t b) {
    return history().record(a).mean_log() < history().record(b).mean_log();
  });
  fittest_.resize(std::min(fittest_.size(), population));
  for (int i = 0; i < breeding_tries; ++i) {
    Point child = parent();
    const Point& other = parent();
    for (std::size_t p = 0; p < child.size(); ++p) {
      if (random().real() < 0.5) child[p] = other[p];
      if (random().real() < mutation_share) child[p] = static_cast<std::uint16_t>(random().below(region().size_of(p)));
    }
    if (!history().known(child) && region().contains(child)) return child;
  }
  return fresh_sample();
}

}  // namespace hone::search
