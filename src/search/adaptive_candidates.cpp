// The points the default strategy chooses from: some from all over the space, the others close to the best ones.

#include <algorithm>

#include "search/adaptive.hpp"

namespace hone::search {

namespace {

constexpr std::size_t random_candidates = 1500;
constexpr std::size_t two_changes = 500;
constexpr std::size_t listed_whole = 2000;
constexpr std::size_t best_changed = 8;

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
    for (const auto i : best) {
      for (const auto& point : region().neighbours(history().point(i), false)) add_candidate(point);
    }
    const auto around = region().neighbours(history().point(*incumbent_), false);
    for (std::size_t i = 0; !around.empty() && i < two_changes; ++i) {
      Point point = around[random().below(around.size())];
      const auto parameter = features_.parameter(random().below(features_.dimensions()));
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
