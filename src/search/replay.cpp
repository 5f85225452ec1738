#include "search/replay.hpp"

#include <algorithm>
#include <cmath>

namespace hone::search {

Cache with_failures(Cache cache, double share, std::uint64_t seed) {
  Random random(seed);
  for (auto& entry : cache.entries) {
    if (random.real() < share) entry.outcome = Outcome::failed();
  }
  return cache;
}

Result<Replay> Replay::of(Cache cache) {
  auto region = region_of(cache);
  if (!region) return fail(region.error());
  Replay replay(std::move(cache), std::move(*region));
  bool measured = false;
  for (std::size_t i = 0; i < replay.cache_.entries.size(); ++i) {
    const auto& entry = replay.cache_.entries[i];
    replay.by_configuration_.emplace(print(entry.configuration), i);
    if (entry.outcome.kind != Outcome::Kind::Measured) continue;
    replay.optimum_ = measured ? std::min(replay.optimum_, entry.outcome.value) : entry.outcome.value;
    measured = true;
  }
  return replay;
}

Outcome Replay::outcome_of(std::size_t entry, const ReplayOptions& options, Random& noise) const {
  const auto& outcome = cache_.entries[entry].outcome;
  if (outcome.kind != Outcome::Kind::Measured || options.noise == 0) return outcome;
  return Outcome::measured(outcome.value * std::exp(options.noise * noise.normal()));
}

std::deque<Configuration> Replay::known_among(const std::vector<Configuration>& points) const {
  std::deque<Configuration> out;
  for (const auto& point : points)
    if (by_configuration_.contains(print(point)) && std::ranges::find(out, point) == out.end()) out.push_back(point);
  return out;
}

Result<ReplayResult> Replay::run(const ReplayOptions& options) const {
  StrategyOptions wanted{options.seed, options.prior, options.budget.evaluations.value_or(0), {}};
  auto strategy = make_strategy(options.strategy, region_, wanted);
  if (!strategy) return fail(strategy.error());
  ReplayResult result;
  result.optimum = optimum_;
  Random noise(options.seed ^ 0x5851f42d4c957f2dULL);
  Spent spent;
  std::optional<std::string> ended;
  auto first = known_among(options.first);
  while (!(ended = over(options.budget, spent))) {
    std::vector<Configuration> asked;
    if (!first.empty()) {
      asked.push_back(std::move(first.front()));
      first.pop_front();
    }
    while (asked.size() < std::max<std::size_t>(1, options.batch)) {
      auto configuration = (*strategy)->ask();
      if (!configuration) break;
      asked.push_back(std::move(*configuration));
    }
    if (asked.empty()) break;
    for (auto& configuration : asked) {
      const auto entry = by_configuration_.at(print(configuration));
      const auto outcome = outcome_of(entry, options, noise);
      result.spent += Seconds(cache_.entries[entry].seconds);
      result.order.push_back(entry);
      (*strategy)->tell(configuration, outcome);
      spent = spent.noted(outcome, result.spent);
      result.told.push_back({std::move(configuration), outcome});
    }
  }
  result.ended = ended.value_or("every configuration was tried");
  result.best = (*strategy)->best();
  if (result.best) result.best_time = cache_.entries[by_configuration_.at(print(*result.best))].outcome.value;
  return result;
}

}  // namespace hone::search
