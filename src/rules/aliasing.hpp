#pragma once
// Which buffers are never the same.

#include <string>

#include "rules/facts.hpp"
#include "rules/launch_facts.hpp"

namespace hone::rules {

/// Two variables, pointers or arrays, that can never lead to the same memory.
bool never_same(const std::string& a, const std::string& b, const Symbols& symbols, const LaunchFacts& facts);

}  // namespace hone::rules
