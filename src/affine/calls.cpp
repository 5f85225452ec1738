// Calls in a kernel: work-item functions, builtins that read and write memory, and functions of its own.

#include <algorithm>
#include <charconv>

#include "affine/walker.hpp"
#include "ir/rewrite.hpp"

namespace hone::affine {

using ir::Kind;
using ir::NodePtr;

namespace {

std::optional<int> vector_width(const std::string& name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  int width = 0;
  const auto* end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data() + prefix.size(), end, width);
  return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(width) : std::nullopt;
}

bool is_atomic(const std::string& name) { return name.starts_with("atomic") || name.starts_with("atom_"); }

}  // namespace

Known Walker::call(const NodePtr& node) {
  const auto& name = node->text;
  const auto width = [&](std::string_view prefix) { return vector_width(name, prefix); };
  if (const auto lanes = width("vload"); lanes && node->children.size() == 2) {
    const Known by = value(node->children[0]);
    auto where = value(node->children[1]).pointer;
    if (where && where->offset && by.number) *where->offset += *by.number * Polynomial(*lanes);
    if (where && !by.number) where->offset.reset();
    touch(node, where, Direction::Read, *lanes, false);
    return {};
  }
  if (const auto lanes = width("vstore"); lanes && node->children.size() == 3) {
    value(node->children[0]);
    const Known by = value(node->children[1]);
    auto where = value(node->children[2]).pointer;
    if (where && where->offset && by.number) *where->offset += *by.number * Polynomial(*lanes);
    if (where && !by.number) where->offset.reset();
    touch(node, where, Direction::Write, *lanes, false);
    return {};
  }
  std::vector<Known> arguments;
  arguments.reserve(node->children.size());
  for (const auto& child : node->children) arguments.push_back(value(child));
  if (is_atomic(name) && !arguments.empty() && arguments[0].pointer) {
    touch(node, arguments[0].pointer, Direction::Update, 1, true);
    return opaque("atomic");
  }
  const bool numbers = std::ranges::all_of(arguments, [](const Known& k) { return k.number && !k.may_wrap; });
  if (numbers && node->type.is_integer()) {
    if ((name == "mul24" || name == "mad24") && arguments.size() >= 2) {
      const auto product = *arguments[0].number * *arguments[1].number;
      return Known{name == "mad24" ? product + *arguments[2].number : product, std::nullopt, false};
    }
    if ((name == "min" || name == "max") && arguments.size() == 2) {
      const Known out = opaque(name);
      const Polynomial sign = name == "min" ? 1 : -1;
      for (const auto& argument : arguments) axioms_.push_back(sign * (*argument.number - *out.number));
      for (const auto& low : {Polynomial(0), *arguments[0].number, *arguments[1].number}) {
        if (name == "min" && follows(now(), *arguments[0].number - low) && follows(now(), *arguments[1].number - low))
          axioms_.push_back(*out.number - low);
        if (name == "max" && follows(now(), low - *arguments[0].number) && follows(now(), low - *arguments[1].number))
          axioms_.push_back(low - *out.number);
      }
      // max(x, c) reaches no further up than x may, unless c does: kept only where x has a bound that c respects.
      if (name == "max") {
        for (const auto& fact : now()) {
          for (std::size_t i = 0; i < 2; ++i) {
            const auto bound = fact + *arguments[i].number;  // fact: bound - x >= 0
            const auto& other = *arguments[1 - i].number;
            if (bound.symbols().size() < fact.symbols().size() && follows(now(), bound - other))
              axioms_.push_back(bound - *out.number);
          }
        }
      }
      return out;
    }
    if (name == "clamp" && arguments.size() == 3) {
      const Known out = opaque(name);
      axioms_.push_back(*out.number - *arguments[1].number);
      axioms_.push_back(*arguments[2].number - *out.number);
      return out;
    }
  }
  const auto callee = ir::find_function(unit_, name);
  if (callee && ir::body_of(callee) && depth_ < 4) return call_of(callee, arguments);
  for (const auto& argument : arguments) {
    if (!argument.pointer) continue;
    view_.has_unknown = true;
    touch(node, Pointer{argument.pointer->array, argument.pointer->space, argument.pointer->element, std::nullopt},
          Direction::Update, 1, false);
  }
  return node->type.is_integer() ? opaque(name) : Known{};
}

Known Walker::call_of(const NodePtr& callee, const std::vector<Known>& arguments) {
  const auto variables = variables_;
  const auto types = types_;
  const auto returned = returned_;
  ++depth_;
  const auto parameters = ir::parameters_of(callee);
  for (std::size_t i = 0; i < parameters.size() && i < arguments.size(); ++i) {
    variables_[parameters[i]->text] = arguments[i];
    types_[parameters[i]->text] = parameters[i]->type;
  }
  returned_.reset();
  statement(ir::body_of(callee));
  const bool one_way = ir::find_all(ir::body_of(callee), Kind::Return).size() == 1;
  Known out = one_way && returned_ ? *returned_ : Known{};
  if (!out.number && !out.pointer && callee->type.is_integer()) out = opaque(callee->text);
  --depth_;
  variables_ = variables;
  types_ = types;
  returned_ = returned;
  return out;
}

}  // namespace hone::affine
