#pragma once
// `unroll k U`: U iterations of a counted loop in one, and what is left over after it. The order of the iterations
// stays.

#include "base/result.hpp"
#include "ir/unit.hpp"

namespace hone::rules {

/// Every loop over `variable` in the kernel. E-DECLINED when there is none that can be unrolled.
Result<ir::NodePtr> unroll(const ir::Unit& unit, const ir::NodePtr& function, const std::string& variable, int factor);

/// Names of counted loops, innermost first, each once.
std::vector<std::string> counted_loops(const ir::NodePtr& function);

}  // namespace hone::rules
