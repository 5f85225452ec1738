#pragma once
// Successive halving: several templates share one budget. Each gets an equal slice, the slower half is dropped, and so
// on; the last one standing gets what is left.

#include <functional>
#include <vector>

#include "loop/tuning.hpp"

namespace hone::loop {

/// `share` is in units of the allowance. Dropped tunings keep what they found.
Status halve(TuningContext& context, std::vector<Tuning>& tunings, double share,
             const std::function<void(const Tuning&)>& show);

}  // namespace hone::loop
