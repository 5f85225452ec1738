#pragma once
// A kernel in the shape that splitting it needs: helper functions written out where they are called, loop counters
// declared in the loops that use them, every variable with a name of its own. The meaning does not change.

#include <set>
#include <string>

#include "ir/unit.hpp"

namespace hone::rules {

/// Calls of helpers that only compute (no store through a pointer, one return, at the end) become their statements, so
/// that what is inside can become vectors. Calls that may not be evaluated, as in a ?: or a loop's header, stay.
ir::NodePtr helpers_written_out(const ir::Unit& unit, const ir::NodePtr& function);

/// `int i; for (i = 0; ...)` becomes `for (int i = 0; ...)` where i means nothing between loops.
ir::Nodes counters_in_loops(const ir::Nodes& statements);

/// No two declarations share a name, and none has one of `used`; new names are added to `taken`.
ir::Nodes own_names(const ir::Nodes& statements, std::set<std::string> used, std::set<std::string>& taken);

/// A helper of the unit that computes a value and has no other effect; its calls may be made once or again.
bool only_computes(const ir::Unit& unit, const std::string& callee);

}  // namespace hone::rules
