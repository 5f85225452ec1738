#pragma once
// The tree as indented lines for people: what `hone show FILE --ir` prints.

#include <string>

#include "ir/unit.hpp"

namespace hone::ir {

std::string describe(const Unit& unit);
std::string describe(const NodePtr& node);

}  // namespace hone::ir
