#include "search/score.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hone::search {

namespace {

constexpr std::size_t moments = 1000;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto n = values.size();
  return n % 2 == 1 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

}  // namespace

Result<Scorer> Scorer::of(const Cache& cache) {
  Scorer scorer;
  for (const auto& entry : cache.entries) {
    const bool measured = entry.outcome.kind == Outcome::Kind::Measured;
    scorer.times_.push_back(measured ? std::optional(entry.outcome.value) : std::nullopt);
    scorer.costs_.push_back(entry.seconds);
    if (measured) scorer.best_first_.push_back(entry.outcome.value);
  }
  if (scorer.best_first_.empty()) return fail("E-SCORE", "no configuration of the cache was measured");
  std::sort(scorer.best_first_.begin(), scorer.best_first_.end());
  scorer.worst_first_.assign(scorer.best_first_.rbegin(), scorer.best_first_.rend());
  const double typical = median(scorer.costs_);
  const double mean =
      std::accumulate(scorer.costs_.begin(), scorer.costs_.end(), 0.0) / static_cast<double>(scorer.costs_.size());
  scorer.budget_ = scorer.evaluations_to_reach(0.95);
  const double start = std::max(static_cast<double>(scorer.evaluations_to_reach(0.01)) * typical, 1e-9);
  const double end = static_cast<double>(scorer.budget_) * typical;
  for (std::size_t k = 0; k < moments; ++k) {
    const double t = start + (end - start) * static_cast<double>(k) / (moments - 1);
    scorer.grid_.push_back(t);
    scorer.random_.push_back(scorer.random_after(std::max(std::nearbyint(t / mean), 1.0)));
  }
  return scorer;
}

std::size_t Scorer::evaluations_to_reach(double share) const {
  const double target = best() + (median(worst_first_) - best()) * (1 - share);
  std::size_t i = 0;
  while (worst_first_[i] > target) ++i;
  return static_cast<std::size_t>(std::ceil(static_cast<double>(i) / static_cast<double>(worst_first_.size() + 1 - i)));
}

double Scorer::random_after(double m) const {
  const auto n = static_cast<double>(worst_first_.size());
  return worst_first_[static_cast<std::size_t>(std::min(std::nearbyint(m * (n + 1) / (m + 1)), n - 1))];
}

double Scorer::rank(double time) const {
  const auto better = std::lower_bound(best_first_.begin(), best_first_.end(), time) - best_first_.begin();
  return static_cast<double>(best_first_.size()) - 1 - static_cast<double>(better);
}

std::vector<std::optional<double>> Scorer::curve(const Run& run) const {
  std::vector<bool> seen(times_.size(), false);
  std::vector<std::pair<double, double>> events;
  double clock = 0;
  std::optional<double> best;
  for (const auto entry : run) {
    if (seen[entry]) continue;
    seen[entry] = true;
    clock += costs_[entry];
    if (!times_[entry] || (best && *times_[entry] >= *best)) continue;
    best = times_[entry];
    events.emplace_back(clock, *best);
  }
  std::vector<std::optional<double>> out;
  std::optional<double> now;
  std::size_t i = 0;
  for (const double t : grid_) {
    while (i < events.size() && events[i].first <= t) now = events[i++].second;
    out.push_back(now);
  }
  return out;
}

Result<Score> Scorer::score(const std::vector<Run>& runs) const {
  std::vector<double> ranks(moments, 0);
  Score score;
  for (const auto& run : runs) {
    const auto best = curve(run);
    for (std::size_t k = 0; k < moments; ++k) ranks[k] += best[k] ? rank(*best[k]) : 0;
    if (best.back()) score.final_share += this->best() / *best.back();
  }
  const auto count = static_cast<double>(runs.size());
  for (std::size_t k = 0; k < moments; ++k) {
    const double position =
        std::clamp(std::nearbyint(ranks[k] / count), 0.0, static_cast<double>(worst_first_.size() - 1));
    const double reached = worst_first_[static_cast<std::size_t>(position)];
    if (random_[k] == best()) return fail("E-SCORE", "random search reaches the optimum within the budget");
    score.value += (reached - random_[k]) / (best() - random_[k]) / moments;
  }
  score.final_share /= count;
  return score;
}

std::vector<std::optional<double>> Scorer::finals(const std::vector<Run>& runs) const {
  std::vector<std::optional<double>> finals;
  for (const auto& run : runs) finals.push_back(curve(run).back());
  return finals;
}

}  // namespace hone::search
