#include "ir/unit.hpp"

#include <utility>

namespace hone::ir {

Nodes functions_of(const Unit& unit) {
  Nodes out;
  for (const auto& child : unit.root->children)
    if (child->kind == Kind::Function) out.push_back(child);
  return out;
}

Nodes kernels_of(const Unit& unit) {
  Nodes out;
  for (const auto& function : functions_of(unit))
    if (is_kernel(*function) && body_of(function)) out.push_back(function);
  return out;
}

NodePtr find_function(const Unit& unit, std::string_view name) {
  NodePtr found;
  for (const auto& function : functions_of(unit))
    if (function->text == name && (!found || body_of(function))) found = function;
  return found;
}

Unit with_function(Unit unit, const NodePtr& function) {
  const auto old = find_function(unit, function->text);
  if (!old) return unit;
  auto children = unit.root->children;
  for (auto& child : children)
    if (child == old) child = function;
  unit.root = with_children(unit.root, std::move(children));
  return unit;
}

}  // namespace hone::ir
