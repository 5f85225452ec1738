#pragma once
// The loops that are axes of a tile, followed while the kernel around them is rewritten.

#include <vector>

#include "rules/variance.hpp"

namespace hone::rules {

/// `whole` with a block of `statements` in the place of `loop`, `together` among them. Axes of the loop go on with
/// `together`, those of other loops with what became of theirs.
ir::NodePtr with_loop_in_place(const ir::NodePtr& whole, std::vector<Axis>& axes, const ir::NodePtr& loop,
                               const ir::NodePtr& together, ir::Nodes statements);

}  // namespace hone::rules
