#pragma once
// What stands in the way of computing in double, and what the functions of the language are called there.

#include <optional>
#include <set>
#include <string>

#include "ir/unit.hpp"

namespace hone::ir {

/// The first obstacle in words; nothing when in_double can rewrite the unit.
std::optional<std::string> double_obstacle(const Unit& unit);

/// The built-in function of doubles that stands for this one; nothing when there is none or its answer jumps where its
/// argument is rounded.
std::optional<std::string> in_double_name(const std::string& callee);

/// Parameters and variables whose declarations are part of the tree: they can be given another type.
std::set<std::string> understood_names(const Unit& unit);

/// Float of any lanes, or a pointer to or array of such.
bool is_float(const Type& type);

}  // namespace hone::ir
