#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "search_files.hpp"
#include "synthetic.hpp"

namespace hone::search {

namespace {

/// Share of all working configurations that are better than the best so far, averaged over a run. Unlike the score it
/// is defined for every space, also where random search finds the optimum or where most points fail.
double regret(const Cache& cache, const std::vector<Run>& runs) {
  std::vector<double> times;
  for (const auto& entry : cache.entries) {
    if (entry.outcome.kind == Outcome::Kind::Measured) times.push_back(entry.outcome.value);
  }
  std::sort(times.begin(), times.end());
  double sum = 0;
  std::size_t count = 0;
  for (const auto& run : runs) {
    double share = 1;
    for (const auto entry : run) {
      const auto& outcome = cache.entries[entry].outcome;
      if (outcome.kind == Outcome::Kind::Measured) {
        const auto better = std::lower_bound(times.begin(), times.end(), outcome.value) - times.begin();
        share = std::min(share, static_cast<double>(better) / static_cast<double>(times.size()));
      }
      sum += share;
      ++count;
    }
  }
  return sum / static_cast<double>(std::max<std::size_t>(1, count));
}

}  // namespace

void print_awkward(const Options& options) {
  const std::vector<std::string> strategies = {"random", "descent", "genetic", "adaptive"};
  fmt::print("\n{:<24} {:>7} {:>7}", "made-up space", "points", "asks");
  for (const auto& name : strategies) fmt::print(" {:>9}", name);
  fmt::print("   share of points better than the best so far, over random's\n");
  for (auto& space : synthetic_spaces(options.seed)) {
    if (space.name.find(options.only) == std::string::npos) continue;
    auto replay = Replay::of(std::move(space.cache)).value();
    const auto points = replay.cache().entries.size();
    ReplayOptions replaying;
    replaying.budget.evaluations = std::min<std::size_t>(200, points / 2);
    const File file{space.name, space.name, std::move(replay), {}};
    fmt::print("{:<24} {:>7} {:>7}", file.name, points, *replaying.budget.evaluations);
    double of_random = 1;
    for (const auto& name : strategies) {
      auto mine = options;
      mine.strategy = name;
      const double own = regret(file.replay.cache(), measure(file, mine, replaying).runs);
      if (name == "random") of_random = std::max(own, 1e-12);
      fmt::print(" {:>9.3f}", own / of_random);
    }
    fmt::print("\n");
    std::fflush(stdout);
  }
}

}  // namespace hone::search
