// The points the default strategy chooses from: some from all over the space, the others close to the best ones.

#include <algorithm>

#include "search/adaptive.hpp"

namespace hone::search {

namespace {

constexpr std::size_t random_candidates = 1500;
constexpr std::size_t two_changes = 500;
constexpr std::size_t listed_whole = 2000;
constexpr std::size_t best_changed = 8;
constexpr std::size_t most_valleys = 3;

}  // namespace

/// A candidate that was asked for, or told about unasked, is none any more.
void Adaptive::take(const Point& point) {
  const auto found = candidate_index_.find(point);
  if (found != candidate_index_.end()) taken_[found->second] = true;
}

void Adaptive::add_candidate(const Point& point) {
  if (history().known(point) || !candidate_index_.try_emplace(point, candidates_.size()).second) return;
  candidates_.push_back(point);
}

/// The best points that no better one differs from in a single parameter, the best first.
std::vector<std::size_t> Adaptive::valleys() const {
  std::vector<std::size_t> found;
  const auto order = ranked();
  for (std::size_t r = 0; r < order.size() && found.size() < most_valleys; ++r) {
    const auto& point = history().point(order[r]);
    const auto one_change_away = [&](std::size_t better) {
      const auto& other = history().point(better);
      std::size_t changes = 0;
      for (std::size_t p = 0; p < point.size(); ++p) changes += point[p] != other[p] ? 1 : 0;
      return changes <= 1;
    };
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(r);
    if (std::none_of(order.begin(), end, one_change_away)) found.push_back(order[r]);
  }
  return found;
}

void Adaptive::renew_candidates() {
  candidates_.clear();
  candidate_index_.clear();
  if (region().exact() && region().count() <= static_cast<Count>(listed_whole)) {
    for (const auto& point : region().list(listed_whole)) add_candidate(point);
  } else {
    for (std::size_t i = 0; i < random_candidates; ++i) {
      if (const auto point = region().sample(random())) add_candidate(*point);
    }
    auto best = ranked();
    best.resize(std::min(best.size(), best_changed));
    for (const auto i : valleys()) best.push_back(i);
    for (const auto i : best) {
      for (const auto& point : region().neighbours(history().point(i), false)) add_candidate(point);
    }
    const auto around = region().neighbours(history().point(*incumbent_), false);
    for (std::size_t i = 0; !around.empty() && i < two_changes; ++i) {
      Point point = around[random().below(around.size())];
      const auto parameter = features_.parameter(random().below(features_.placed()));
      point[parameter] = static_cast<std::uint16_t>(random().below(region().size_of(parameter)));
      if (region().contains(point)) add_candidate(point);
    }
  }
  taken_.assign(candidates_.size(), false);
  mark_local(*incumbent_);
}

void Adaptive::mark_local(std::size_t center) {
  local_.assign(candidates_.size(), false);
  for (const auto& point : region().neighbours(history().point(center), false)) {
    const auto found = candidate_index_.find(point);
    if (found != candidate_index_.end()) local_[found->second] = true;
  }
}

}  // namespace hone::search
