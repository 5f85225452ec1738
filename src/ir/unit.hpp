#pragma once
// One translation unit: its tree, its dialect, and the set of defines for which the tree holds.

#include <map>
#include <string>
#include <vector>

#include "ir/tree.hpp"

namespace hone::ir {

struct Unit {
  Dialect dialect = Dialect::OpenCL;
  NodePtr root;  ///< Kind::Unit
  std::map<std::string, std::string>
      defines;                     ///< given from outside (-D); what the text itself defines is in Directives
  std::vector<std::string> notes;  ///< what lifting had to tolerate: missing includes, unknown names
};

Nodes functions_of(const Unit& unit);
Nodes kernels_of(const Unit& unit);
/// The definition of that name, else its declaration, else null.
NodePtr find_function(const Unit& unit, std::string_view name);
/// The unit with `function` in the place of the one that has its name.
Unit with_function(Unit unit, const NodePtr& function);

}  // namespace hone::ir
