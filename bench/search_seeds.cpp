// What points that somebody expects much of are worth to a search: bench_search FOLDER --seeds FILE. FILE has them by
// the name of the space; with them a run begins with these. Both are held against what the search alone has found after
// so many evaluations, at the median over the seeds of randomness.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <optional>

#include "search_files.hpp"

namespace hone::search {
namespace {

constexpr std::size_t most_evaluations = 400;
constexpr std::size_t marks[] = {50, 100, 200};

/// Only the parameters that the space has, in the space's own values.
std::vector<Configuration> points_in(const Json& list, const Cache& cache) {
  std::vector<Configuration> out;
  for (const auto& one : list) {
    Configuration point;
    for (const auto& parameter : cache.parameters)
      for (const auto& value : parameter.values)
        if (one.contains(parameter.name) && print(value) == one[parameter.name].dump()) point[parameter.name] = value;
    if (point.size() == cache.parameters.size()) out.push_back(std::move(point));
  }
  return out;
}

/// The median over the runs of the best time after each evaluation.
std::vector<double> median_best(const std::vector<ReplayResult>& results) {
  std::vector<double> out;
  for (std::size_t n = 1; n <= most_evaluations; ++n) {
    std::vector<double> best;
    for (const auto& result : results) {
      double least = 1e300;
      for (std::size_t i = 0; i < std::min(n, result.told.size()); ++i)
        if (result.told[i].outcome.kind == Outcome::Kind::Measured)
          least = std::min(least, result.told[i].outcome.value);
      best.push_back(least);
    }
    std::ranges::sort(best);
    out.push_back(best[best.size() / 2]);
  }
  return out;
}

std::optional<std::size_t> evaluations_to(const std::vector<double>& best, double wanted) {
  const auto found = std::ranges::find_if(best, [&](double time) { return time <= wanted; });
  return found == best.end() ? std::nullopt : std::optional<std::size_t>(found - best.begin() + 1);
}

}  // namespace

void print_seeds(const std::vector<File>& files, const Options& options) {
  std::ifstream in(options.seeds);
  const auto all = Json::parse(in, nullptr, false);
  fmt::print("evaluations with given points / without, until the result that the search alone has after\n{:<28} {:>6}",
             "space", "points");
  for (const auto mark : marks) fmt::print(" {:>16}", mark);
  fmt::print("  the best of the points\n");
  for (const auto& file : files) {
    if (!all.is_object() || !all.contains(file.name)) continue;
    ReplayOptions replay;
    replay.budget.evaluations = most_evaluations;
    const auto alone = median_best(measure(file, options, replay).results);
    replay.first = points_in(all[file.name], file.replay.cache());
    const auto with = median_best(measure(file, options, replay).results);
    fmt::print("{:<28} {:>6}", file.name, replay.first.size());
    for (const auto mark : marks) {
      const auto without = *evaluations_to(alone, alone[mark - 1]);  // it may have had that result long before
      const auto needed = evaluations_to(with, alone[mark - 1]);
      fmt::print(" {:>16}", needed ? fmt::format("{} / {} ({:.1f}x)", *needed, without,
                                                 static_cast<double>(without) / static_cast<double>(*needed))
                                   : "never");
    }
    fmt::print("  {:.2f} of the optimum's speed\n",
               file.scorer.best() / with[std::max<std::size_t>(1, replay.first.size()) - 1]);
    std::fflush(stdout);
  }
}

}  // namespace hone::search
