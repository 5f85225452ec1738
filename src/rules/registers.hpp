#pragma once
// `registers`: an element of memory that a loop updates again and again is held in a private variable for the length of
// the loop. Legal only when nothing else in the loop can touch that element.

#include "base/result.hpp"
#include "ir/unit.hpp"
#include "rules/launch_facts.hpp"

namespace hone::rules {

/// E-DECLINED when no loop has such an element, with what stands against the first one found.
Result<ir::NodePtr> keep_in_registers(const ir::Unit& unit, const ir::NodePtr& function, const LaunchFacts& facts);

}  // namespace hone::rules
