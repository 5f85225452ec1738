#pragma once
// The rounds: propose, tune, confirm, learn. In: a Mep and the ports. Out: the winner with its proof, or the reasons
// why there is none. The incumbent stays unless beaten with proof; equivalence and speedup are always against K(0).

#include <optional>
#include <string>
#include <vector>

#include "core/mep.hpp"
#include "core/proposer.hpp"
#include "loop/allowance.hpp"
#include "loop/ports.hpp"
#include "loop/searched.hpp"

namespace hone::loop {

struct LoopOptions {
  int rounds = 4;                   // D
  std::size_t candidates = 4;       // N per proposer and round
  int repairs = 2;                  // AER: attempts per faulty template
  double threshold = 1.02;          // a round that gains less is the last
  std::size_t confirmations = 3;    // per round
  search::Budget budget;            // a target is the figure in nanoseconds, see figure_of
  std::vector<search::Told> prior;  // earlier outcomes of the same template elsewhere
  std::string strategy = "adaptive";
  std::uint64_t seed = 1;
  std::size_t batch = 2;
  PatchLimits limits;    // of the application the winner goes back into
  std::string run;       // id of the run in the log
  std::string mep_hash;  // so that verdicts of other Meps are never taken for this one's
};

struct Outcome {
  Incumbent winner;                   // K(0) itself when nothing was proven faster
  Template winner_template;           // empty for K(0)
  std::optional<Confirmation> proof;  // winner against K(0), everywhere
  std::vector<Attempt> attempts;
  std::vector<std::string> reasons;       // why not more: declined rules, refused candidates
  std::map<std::string, Timed> original;  // K(0) on the tune workloads, as screened
  Profile original_profile;
  std::size_t evaluations = 0, failures = 0;
  Seconds took{0};
  bool interrupted = false;
  int rounds = 0;
  std::string ended;            // the limit that was reached; empty when there was nothing left to try
  std::vector<Searched> tuned;  // what each template's search saw
};

/// E-ORIGINAL when K(0) itself does not pass.
Result<Outcome> improve(const Mep& mep, const LoopOptions& options, const Ports& ports);

/// K(0) as a Variant.
Variant original_of(const Mep& mep);

}  // namespace hone::loop
