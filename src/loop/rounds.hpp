#pragma once
// The rounds: propose, tune, confirm, learn. In: a Mep and the ports. Out: the winner with its proof, or the reasons
// why there is none. The incumbent stays unless beaten with proof; equivalence and speedup are always against K(0).
//
// A run ends when its budget is spent, when nobody has anything left to try, when the leader is as good as the device
// allows, or when no template promises more than noise for three rounds; and for no other reason.

#include <optional>
#include <string>
#include <vector>

#include "core/mep.hpp"
#include "core/proposer.hpp"
#include "loop/by_shape.hpp"
#include "loop/options.hpp"
#include "loop/ports.hpp"
#include "loop/searched.hpp"

namespace hone::loop {

struct Outcome {
  Incumbent winner;                    // K(0) itself when nothing was proven faster
  Template winner_template;            // empty for K(0)
  std::optional<Confirmation> proof;   // winner against K(0), everywhere
  std::optional<ShapeResults> shapes;  // with several tune workloads and a winner
  std::vector<Attempt> attempts;
  std::vector<std::string> reasons;       // why not more: declined rules, refused candidates
  std::map<std::string, Timed> original;  // K(0) on the tune workloads, as screened
  std::size_t evaluations = 0, failures = 0;
  Seconds took{0};
  std::optional<Seconds> first_proof;  // when something faster was proven first, from the start
  bool interrupted = false;
  int rounds = 0;
  std::string ended;            // why, in words
  std::vector<Searched> tuned;  // what each template's search saw
};

/// E-ORIGINAL when K(0) itself does not pass.
Result<Outcome> improve(const Mep& mep, const LoopOptions& options, const Ports& ports);

/// K(0) as a Variant.
Variant original_of(const Mep& mep);

}  // namespace hone::loop
