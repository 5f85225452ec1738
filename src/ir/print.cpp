#include "ir/print.hpp"

#include <set>
#include <utility>

#include "ir/printer.hpp"

namespace hone::ir {
namespace {

std::set<std::string> declared_by(const Unit& unit) {
  std::set<std::string> names;
  for (const auto& child : unit.root->children) {
    if (child->kind == Kind::Function) names.insert(child->text);
    if (child->effects) names.insert(child->effects->declares.begin(), child->effects->declares.end());
  }
  return names;
}

Result<std::string> finished(const Printer& printer, std::string text) {
  if (printer.refusal()) return fail(*printer.refusal());
  return text;
}

Result<std::string> print_unit(const Unit& unit, Dialect dialect, bool force) {
  Printer printer(unit.dialect, dialect, force);
  printer.declare(declared_by(unit));
  auto text = printer.unit(unit.root);
  return finished(printer, std::move(text));
}

Dialect dialect_of(const NodePtr& node, Dialect otherwise) {
  if (node->origin.owns()) return node->origin.source->dialect;
  for (const auto& child : node->children)
    if (const auto found = dialect_of(child, otherwise); found != otherwise) return found;
  return otherwise;
}

}  // namespace

Result<std::string> print(const Unit& unit, Dialect dialect) { return print_unit(unit, dialect, false); }
Result<std::string> print(const Unit& unit) { return print_unit(unit, unit.dialect, false); }
Result<std::string> force_print(const Unit& unit, Dialect dialect) { return print_unit(unit, dialect, true); }

Result<std::string> print(const NodePtr& node, Dialect dialect) {
  Printer printer(dialect_of(node, dialect), dialect, false);
  auto text = printer.any(node);
  return finished(printer, std::move(text));
}

Result<std::string> force_print(const NodePtr& node, Dialect dialect) {
  Printer printer(dialect_of(node, dialect), dialect, true);
  auto text = printer.any(node);
  return finished(printer, std::move(text));
}

Result<std::string> print_declaration(const Type& type, const std::string& name, Dialect dialect) {
  Printer printer(dialect, dialect, true);
  auto text = printer.declaration(type, name);
  return finished(printer, std::move(text));
}

}  // namespace hone::ir
