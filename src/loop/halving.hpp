#pragma once
// Successive halving: several templates share one budget. Each has been looked at once; the slower half waits at once,
// the others get an equal slice each, and so on; the last one standing gets what is left. Those that waited come next
// when it has nothing more to give.

#include <functional>
#include <vector>

#include "loop/tuning.hpp"

namespace hone::loop {

/// `share` is in units of the allowance. Tunings that wait keep what they found.
Status halve(TuningContext& context, const std::vector<Tuning*>& tunings, double share,
             const std::function<void(const Tuning&)>& show);

}  // namespace hone::loop
