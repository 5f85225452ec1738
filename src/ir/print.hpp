#pragma once
// A tree as text. `print` keeps the bytes of everything untouched and splices only what changed; `force_print` writes
// everything from the structure, comments and layout lost. Another dialect than the one lifted from is always written
// from the structure; what has no counterpart there is refused by name (E-DIALECT).

#include <string>

#include "base/result.hpp"
#include "ir/unit.hpp"

namespace hone::ir {

Result<std::string> print(const Unit& unit, Dialect dialect);
Result<std::string> print(const Unit& unit);
Result<std::string> force_print(const Unit& unit, Dialect dialect);
/// Of any one node, own bytes where untouched; for messages and golden tests.
Result<std::string> print(const NodePtr& node, Dialect dialect);
Result<std::string> force_print(const NodePtr& node, Dialect dialect);

/// "__global const float* restrict a", "float tile[16][17]": a declaration as the dialect writes it.
Result<std::string> print_declaration(const Type& type, const std::string& name, Dialect dialect);

}  // namespace hone::ir
