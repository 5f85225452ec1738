// Where the default strategy looks before it has a model: the centre of the space, points far from it and from each
// other, and what earlier data liked.

#include <algorithm>
#include <limits>

#include "search/adaptive.hpp"

namespace hone::search {

namespace {

constexpr std::size_t first_points = 4;
constexpr std::size_t first_choices = 4000;
/// A centre behind a wall is given up after so many points, itself among them.
constexpr std::size_t most_centers = 4;

}  // namespace

void Adaptive::plan_first_points() {
  std::vector<Point> choices;
  if (region().exact() && region().count() <= static_cast<Count>(first_choices)) {
    choices = region().list(first_choices);
  } else {
    for (std::size_t i = 0; i < first_choices; ++i) {
      if (auto point = region().sample(random())) choices.push_back(std::move(*point));
    }
  }
  if (choices.empty()) return;
  random().shuffle(choices);  // ties go to a different point for each seed
  const auto central = std::min_element(choices.begin(), choices.end(), [&](const Point& a, const Point& b) {
    return features_.eccentricity(a) < features_.eccentricity(b);
  });
  if (prior_) {
    for (const auto& point : prior_->best_first()) {
      if (trusted_points_.size() == 3) break;
      if (region().contains(point)) trusted_points_.push_back(point);
    }
  }
  first_points_.push_back(*central);
  std::vector<double> nearest(choices.size(), std::numeric_limits<double>::infinity());
  while (first_points_.size() < std::min(first_points, choices.size())) {
    std::size_t farthest = 0;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      nearest[i] = std::min(nearest[i], features_.distance(choices[i], first_points_.back()));
      if (nearest[i] > nearest[farthest]) farthest = i;
    }
    first_points_.push_back(choices[farthest]);
  }
}

/// The centre, then points far apart. Earlier data puts its best point before them, and its others as long as they hold
/// what it promised: none of them may be worse than what the centre gave.
std::optional<Point> Adaptive::next_first_point() {
  if (first_points_.empty()) plan_first_points();
  while (next_trusted_ < trusted_points_.size() &&
         (next_trusted_ == 0 || (next_first_ > 0 && prior_keeps_its_word()))) {
    const auto& point = trusted_points_[next_trusted_++];
    if (!history().known(point)) return point;
  }
  if (auto point = instead_of_the_center()) return point;
  const std::size_t wanted = next_trusted_ > 1 ? 1 : first_points_.size();
  while (next_first_ < wanted) {
    const auto& point = first_points_[next_first_++];
    if (!history().known(point)) return point;
  }
  return std::nullopt;
}

/// The centre is worth more than points far from it: when it fails, the most central of its neighbours is asked for,
/// before anything else. Nothing when it works or is given up.
std::optional<Point> Adaptive::instead_of_the_center() {
  if (next_first_ != 1) return std::nullopt;
  if (centers_.empty()) centers_.push_back(first_points_.front());
  const Record* last = history().find(centers_.back());
  if (centers_.size() == most_centers || last == nullptr || last->failures == 0) return std::nullopt;
  std::optional<Point> nearest;
  for (const auto& point : region().neighbours(first_points_.front(), false)) {
    if (history().known(point)) continue;
    if (!nearest || features_.eccentricity(point) < features_.eccentricity(*nearest)) nearest = point;
  }
  if (nearest) centers_.push_back(*nearest);
  return nearest;
}

bool Adaptive::prior_keeps_its_word() const {
  const Record* central = history().find(first_points_.front());
  if (central == nullptr || central->asked > central->measurements + central->failures) return false;
  for (std::size_t i = 0; i < next_trusted_; ++i) {
    const Record* trusted = history().find(trusted_points_[i]);
    if (trusted == nullptr || !trusted->measured()) return false;
    if (central->measured() && trusted->mean_log() > central->mean_log()) return false;
  }
  return true;
}

/// Nothing or next to nothing was measured: look where no failure is near.
std::optional<Point> Adaptive::far_from_failures() {
  std::optional<Point> best;
  double best_distance = -1;
  for (int i = 0; i < 64; ++i) {
    auto point = fresh_sample();
    if (!point) break;
    double distance = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < history().size(); ++k) {
      distance = std::min(distance, features_.distance(*point, history().point(k)));
    }
    if (distance > best_distance) best = std::move(point), best_distance = distance;
  }
  return best;
}

}  // namespace hone::search
