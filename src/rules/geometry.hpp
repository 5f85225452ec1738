#pragma once
// How a launch may change when one work-item does the work of several.

#include <string>

#include "base/result.hpp"
#include "rules/launch_facts.hpp"
#include "rules/variance.hpp"

namespace hone::rules {

enum class Geometry {
  Guarded,  // fewer work-items, any grouping: the kernel's own conditions stop those beyond the edge
  Exact,    // as many groups as before, each with fewer work-items
  Kept,     // the same launch: work-items that are no longer needed do nothing
};

/// Every store, and every load that moves with it, stands under a condition that bounds get_global_id(dimension) from
/// above.
bool is_guarded(const ir::NodePtr& function, int dimension);

/// E-DECLINED when work-items of these dimensions cannot be taken together whatever the launch.
Result<Geometry> geometry_for(const ir::NodePtr& function, const LaunchFacts& facts,
                              const std::vector<int>& dimensions);

}  // namespace hone::rules
