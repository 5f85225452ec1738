#pragma once
// The shape the tile rules work on: no return but the end of the kernel, a block under every branch and loop, one
// variable per declaration. The meaning does not change.

#include "base/result.hpp"
#include "ir/unit.hpp"

namespace hone::rules {

/// The statements of a kernel with `if (c) return; rest` brought to `if (!c) { rest }`. E-DECLINED when a return stands
/// where this cannot be done, as in a loop.
Result<ir::Nodes> structured_body(const ir::NodePtr& function);

/// The statements under a branch or loop, as a list.
ir::Nodes statements_of(const ir::NodePtr& statement);
bool has_return(const ir::NodePtr& node);
/// Whoever runs the list returns in it.
bool ends_in_return(const ir::Nodes& list);

/// The kernel in plain numbers: helpers inlined, short vectors split, where that can be done.
ir::NodePtr in_numbers(const ir::Unit& unit, const ir::NodePtr& function);

/// The opposite of a condition, without a `!` where integers are compared.
ir::NodePtr negated(const ir::NodePtr& condition);

}  // namespace hone::rules
