#pragma once
// The shape the tile rules work on: no return but the end of the kernel, a block under every branch and loop, one
// variable per declaration. The meaning does not change.

#include "base/result.hpp"
#include "ir/tree.hpp"

namespace hone::rules {

/// The statements of a kernel with `if (c) return; rest` brought to `if (!c) { rest }`. E-DECLINED when a return stands
/// where this cannot be done, as in a loop.
Result<ir::Nodes> structured_body(const ir::NodePtr& function);

/// The opposite of a condition, without a `!` where integers are compared.
ir::NodePtr negated(const ir::NodePtr& condition);

}  // namespace hone::rules
