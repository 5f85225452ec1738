#pragma once
// What a rewritten kernel does that the original does not, in a few words each: local memory, barriers, vectors, loops
// that were split, several results of a work-item. Two versions of one idea have most of them in common, however they
// are written.

#include <set>
#include <string>

#include "ir/unit.hpp"

namespace hone::ir {

std::set<std::string> transformations(const Unit& original, const Unit& rewritten);

}  // namespace hone::ir
