#pragma once
// A search simulated on measurements made earlier: what `hone tune --replay` prints and what the benches score.

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "search/budget.hpp"
#include "search/cache_file.hpp"
#include "search/score.hpp"

namespace hone::search {

struct ReplayOptions {
  std::string strategy = "adaptive";
  Budget budget;
  std::uint64_t seed = 1;
  std::size_t batch = 1;  // asks before the tells that answer them
  std::vector<Told> prior;
  std::vector<Configuration> first;  // evaluated before the strategy is asked, as points that somebody expects much of
  double noise = 0;  // relative standard deviation of injected multiplicative noise, new at each evaluation
};

struct ReplayResult {
  Run order;  // positions in the cache's entries
  std::vector<Told> told;
  std::optional<Configuration> best;
  std::optional<double> best_time;  // the cache's own time of it
  double optimum = 0;               // of all the cache
  Seconds spent{0};
  std::string ended;  // why
};

/// The cache with a share of its configurations failing instead, chosen by the seed.
Cache with_failures(Cache cache, double share, std::uint64_t seed);

/// The cache with its points ready for many replays.
class Replay {
 public:
  static Result<Replay> of(Cache cache);
  Result<ReplayResult> run(const ReplayOptions& options) const;
  const Cache& cache() const { return cache_; }
  const Region& region() const { return region_; }

 private:
  Replay(Cache cache, Region region) : cache_(std::move(cache)), region_(std::move(region)) {}
  /// Each once; those that were never measured are left out.
  std::deque<Configuration> known_among(const std::vector<Configuration>& points) const;
  Outcome outcome_of(std::size_t entry, const ReplayOptions& options, Random& noise) const;

  Cache cache_;
  Region region_;
  std::unordered_map<std::string, std::size_t> by_configuration_;
  double optimum_ = 0;
};

}  // namespace hone::search
