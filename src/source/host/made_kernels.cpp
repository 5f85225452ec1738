#include "source/host/made_kernels.hpp"

#include <optional>

#include "base/text.hpp"

namespace hone::host {
namespace {

/// Without casts and copies around it.
const Node& plain(const Node& node) {
  const Node* at = &node;
  for (;;) {
    const bool wraps =
        at->kind == Kind::Cast || at->kind == Kind::Decay || (at->kind == Kind::Construct && at->parts.size() == 1);
    if (!wraps || at->parts.size() != 1) return *at;
    at = &at->parts[0];
  }
}

/// A global variable or a field; empty for anything else. Fields of one name are one: more kernels, never fewer.
std::string key_of(const Unit& unit, const Node& written) {
  const auto& node = plain(written);
  if (node.kind == Kind::Member) return "field " + node.text;
  if (node.kind != Kind::Name || node.decl < 0) return {};
  const auto& key = unit.decls[static_cast<std::size_t>(node.decl)].key;
  return key.empty() ? std::string() : "global " + key;
}

bool is_nothing(const Node& node) {
  return node.kind == Kind::Null || node.kind == Kind::Zero || node.kind == Kind::Nothing ||
         (node.kind == Kind::Integer && node.text == "0") || (node.kind == Kind::Construct && node.parts.empty());
}

/// The name in clCreateKernel(program, "name", &error), cl::Kernel(program, "name") and in a call of a function of the
/// application's own that is given one.
std::optional<std::string> named_in(const Node& made) {
  const bool makes = made.kind == Kind::Call || made.kind == Kind::MethodCall || made.kind == Kind::Construct;
  if (!makes) return std::nullopt;
  std::optional<std::string> out;
  for (const auto& part : made.parts) {
    const auto& word = plain(part);
    if (word.kind != Kind::Text) continue;
    if (out || !is_identifier(word.text)) return std::nullopt;
    out = word.text;
  }
  return out;
}

}  // namespace

MadeKernels::MadeKernels(const std::vector<Unit>& units) {
  for (const auto& unit : units) {
    for (const auto& function : unit.functions) {
      read(unit, function.body);
      for (const auto& one : function.initializers) {
        if (!one.parts.empty()) put("field " + one.text, one.parts[0]);
        read(unit, one);
      }
    }
    for (const auto& record : unit.records)
      for (const auto& field : record.fields) put("field " + field.name, field.initial);
    for (const auto& global : unit.globals) {
      Node variable;
      variable.kind = Kind::Name;
      variable.decl = global.decl;
      if (!global.parts.empty()) put(key_of(unit, variable), global.parts[0]);
      read(unit, global);
    }
  }
}

void MadeKernels::put(const std::string& key, const Node& value) {
  const auto& made = plain(value);
  if (key.empty() || is_nothing(made)) return;
  auto& held = by_variable_[key];
  if (auto name = named_in(made))
    held.names.insert(std::move(*name));
  else
    held.others = true;
}

/// What gets the variable's place may put anything there.
void MadeKernels::passed(const Unit& unit, const Node& call) {
  if (call.function < 0) return;
  const auto changes = unit.functions[static_cast<std::size_t>(call.function)].changes_parameters;
  const std::size_t first = call.kind == Kind::MethodCall ? 1 : 0;
  for (std::size_t i = first; i < call.parts.size() && i - first < 32; ++i)
    if ((changes >> (i - first) & 1U) != 0)
      if (const auto key = key_of(unit, call.parts[i]); !key.empty()) by_variable_[key].others = true;
}

void MadeKernels::read(const Unit& unit, const Node& node) {
  const bool assigns = (node.kind == Kind::Assign || node.kind == Kind::Operator) && node.text == "=";
  if (assigns && node.parts.size() == 2) put(key_of(unit, node.parts[0]), node.parts[1]);
  if (node.kind == Kind::AddressOf && !node.parts.empty())
    if (const auto key = key_of(unit, node.parts[0]); !key.empty()) by_variable_[key].others = true;
  if (node.kind == Kind::Call || node.kind == Kind::MethodCall) passed(unit, node);
  for (const auto& part : node.parts) read(unit, part);
}

std::set<std::string> MadeKernels::into(const Unit& unit, const Node& target) const {
  const auto found = by_variable_.find(key_of(unit, target));
  return found == by_variable_.end() || found->second.others ? std::set<std::string>{} : found->second.names;
}

}  // namespace hone::host
