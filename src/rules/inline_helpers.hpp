#pragma once
// Calls of the unit's own helpers, replaced by what they do, so that the arithmetic in them can go onto vectors.
//
//   float d = distance2(p + i, q, n);  ->     float sum = 0.0f;
//                                             for (int f = 0; f < n; f++) sum += (p + i)[f] * q[f];
//                                             float d = sum;
//
// A parameter that the helper leaves alone is what was passed; others become variables. A call that cannot be replaced
// without changing what is evaluated, or when, stays a call.

#include "ir/unit.hpp"

namespace hone::rules {

ir::NodePtr with_helpers_inlined(const ir::Unit& unit, const ir::NodePtr& function);

}  // namespace hone::rules
