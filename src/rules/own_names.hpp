#pragma once
// A kernel in the shape that splitting it needs: loop counters declared in the loops that use them, every variable with
// a name of its own. The meaning does not change.

#include <set>
#include <string>

#include "ir/unit.hpp"

namespace hone::rules {

/// `int i; for (i = 0; ...)` becomes `for (int i = 0; ...)` where i means nothing between loops.
ir::Nodes counters_in_loops(const ir::Nodes& statements);

/// No two declarations share a name, and none has one of `used`; new names end in `suffix` and are added to `taken`.
ir::Nodes own_names(const ir::Nodes& statements, std::set<std::string> used, std::set<std::string>& taken,
                    const std::string& suffix = "");

}  // namespace hone::rules
