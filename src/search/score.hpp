#pragma once
// How good a search is on a space of which every point was measured: how far above random search its best-so-far stays
// while the budget runs, as the community's methodology defines it. Random is near 0, an oracle 1.

#include <optional>
#include <vector>

#include "base/result.hpp"
#include "search/cache_file.hpp"

namespace hone::search {

/// One run: positions in the cache's entries, in the order evaluated.
using Run = std::vector<std::size_t>;

struct Score {
  double value = 0;
  double final_share = 0;  // mean of best possible / best found at the end
};

class Scorer {
 public:
  /// E-SCORE when nothing in the cache was measured.
  static Result<Scorer> of(const Cache& cache);
  /// Evaluations random search needs to get 95% of the way from the median to the best.
  std::size_t budget() const { return budget_; }
  double best() const { return best_first_.front(); }
  /// The time the scored part of a run lasts, in the cache's seconds.
  double horizon() const { return grid_.back(); }
  Result<Score> score(const std::vector<Run>& runs) const;
  /// Best time of each run at the end of the budget; nothing for a run without success.
  std::vector<std::optional<double>> finals(const std::vector<Run>& runs) const;

 private:
  std::size_t evaluations_to_reach(double share) const;
  double random_after(double evaluations) const;
  double rank(double time) const;
  std::vector<std::optional<double>> curve(const Run& run) const;

  std::vector<std::optional<double>> times_;
  std::vector<double> costs_;
  std::vector<double> worst_first_, best_first_, grid_, random_;
  std::size_t budget_ = 0;
};

}  // namespace hone::search
