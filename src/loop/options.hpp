#pragma once
// What a run of the loop is asked to do.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/patch_limits.hpp"
#include "search/budget.hpp"

namespace hone::loop {

struct LoopOptions {
  int rounds = 0;                   // D at most; 0: as many as the budget lets
  std::size_t candidates = 4;       // N at most per proposer and round; fewer when the budget is short
  int repairs = 2;                  // AER: attempts for one template, wherever its faults show
  std::size_t confirmations = 3;    // per round
  double floor = 0.01;              // what one and the same kernel differs from itself: smaller gains are not sought
  double enough = 0.97;             // of the least possible time: then there is nothing left to gain
  search::Budget budget;            // of everything but proposers; a target is the figure in nanoseconds, see figure_of
  std::vector<search::Told> prior;  // earlier outcomes of the same template elsewhere
  std::string strategy = "adaptive";
  std::uint64_t seed = 1;
  std::size_t batch = 2;
  PatchLimits limits;    // of the application the winner goes back into
  std::string run;       // id of the run in the log
  std::string mep_hash;  // so that verdicts of other Meps are never taken for this one's
  /// The least possible time of each tune workload on this device, where it is known.
  std::map<std::string, Nanoseconds> least;
};

}  // namespace hone::loop
