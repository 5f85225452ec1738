#pragma once
// Walking over statements where one may become several.

#include "ir/build.hpp"
#include "ir/rewrite.hpp"

namespace hone::rules {

/// What each of them becomes, one after the other.
template <class Become>
ir::Nodes each_statement(const ir::Nodes& statements, Become&& become) {
  ir::Nodes out;
  for (const auto& s : statements) {
    const auto done = become(s);
    out.insert(out.end(), done.begin(), done.end());
  }
  return out;
}

/// The body of a branch or a loop: a block stays one, a statement that becomes several gets one.
template <class Become>
ir::NodePtr each_inside(const ir::NodePtr& body, Become&& become) {
  if (is(body, ir::Kind::Block)) return with_children(body, each_statement(body->children, become));
  auto done = become(body);
  return done.size() == 1 ? done.front() : ir::block(std::move(done));
}

}  // namespace hone::rules
