#pragma once
// Small sums that print as a person would write them.

#include "ir/tree.hpp"

namespace hone::rules {

/// e + offset; e itself for 0, e - 3 for -3, and constants are added up.
ir::NodePtr plus(const ir::NodePtr& e, long long offset);
/// The number an integer expression is written as, a sign before it included.
std::optional<long long> constant_of(const ir::NodePtr& e);

}  // namespace hone::rules
