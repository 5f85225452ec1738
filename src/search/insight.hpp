#pragma once
// What a search has shown about its space, as data for a report: which parameters matter and together with which, how
// the best came down, and how likely a better point remains.

#include <string>
#include <vector>

#include "search/strategy.hpp"

namespace hone::search {

struct Importance {
  std::string parameter;
  double share = 0;  // of the variance of log time that the parameter explains alone
};
struct Interaction {
  std::string first, second;
  double share = 0;  // of the variance, beyond what both explain alone
};
struct Improvement {
  std::size_t evaluation = 0;  // counted from 1
  double value = 0;
};
struct Insight {
  std::vector<Importance> importance;     // largest first
  std::vector<Interaction> interactions;  // largest first, at most 10
  std::vector<Improvement> convergence;
  std::size_t measured = 0, failed = 0, censored = 0;
  double probability_of_better = 0;  // that an untried point is at least 1% faster
  double expected_gain = 0;  // relative: 0.02 means 2% of the best time, on average over what the model believes
};

/// From a run's outcomes in order; empty shares when fewer than 10 were measured.
Insight insight_of(const Region& region, const std::vector<Told>& told);
Result<Insight> insight_of(const Space& space, const std::vector<Told>& told,
                           const Expression::Environment& known = {});

}  // namespace hone::search
