#pragma once
// Loops whose iterations know nothing of each other, so that several can be done at once as if they were work-items.

#include <string>
#include <vector>

#include "base/result.hpp"
#include "ir/unit.hpp"
#include "rules/launch_facts.hpp"

namespace hone::rules {

/// The body with `for (j = 0; ...)` over a variable that nobody needs outside of it brought to `for (int j = 0; ...)`,
/// and variables that are only used inside one block declared there, where they are first set.
ir::Nodes localised(const ir::Nodes& body);

/// Names of the counted loops in the body of the function: j, j@2 for the second over a j, ...
std::vector<std::string> loop_names(const ir::Unit& unit, const ir::NodePtr& function);

/// The loop of that name in the body of the function; E-DECLINED when its iterations may depend on each other by more
/// than what they add up.
Result<ir::NodePtr> independent_loop(const ir::Unit& unit, const ir::NodePtr& function, const std::string& name,
                                     const LaunchFacts& facts);

}  // namespace hone::rules
