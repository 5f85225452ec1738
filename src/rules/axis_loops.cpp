#include "rules/axis_loops.hpp"

#include "ir/build.hpp"
#include "ir/rewrite.hpp"

namespace hone::rules {
using namespace ir;

namespace {

/// What stands in the place of `node` where two trees differ in what lies below it.
NodePtr counterpart(const NodePtr& before, const NodePtr& after, const NodePtr& node) {
  if (before == node) return after;
  if (before == after || before->kind != after->kind || before->children.size() != after->children.size())
    return nullptr;
  for (std::size_t i = 0; i < before->children.size(); ++i)
    if (auto found = counterpart(before->children[i], after->children[i], node)) return found;
  return nullptr;
}

}  // namespace

NodePtr with_loop_in_place(const NodePtr& whole, std::vector<Axis>& axes, const NodePtr& loop, const NodePtr& together,
                           Nodes statements) {
  const auto after = replace(whole, loop, block(std::move(statements)));
  for (auto& axis : axes) {
    if (!axis.loop) continue;
    if (axis.loop == loop)
      axis.loop = together;
    else if (const auto within = counterpart(loop, together, axis.loop))
      axis.loop = within;
    else if (const auto moved = counterpart(whole, after, axis.loop))
      axis.loop = moved;
  }
  return after;
}

}  // namespace hone::rules
