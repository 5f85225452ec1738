// Evaluation of the tree, node by node. `and`, `or` and the conditional evaluate only what they need, so that a guard
// ("n == 0 or k % n == 0") protects what stands behind it.

#include <algorithm>

#include "base/text.hpp"
#include "core/arithmetic.hpp"
#include "core/expression.hpp"

namespace hone {

using Node = Expression::Node;
using Kind = Expression::Kind;
using Environment = Expression::Environment;

namespace {

Result<Value> evaluate_node(const Node& node, const Environment& environment);

/// The values of a list node's items, or of a call's arguments with a list among them spread out.
Result<std::vector<Value>> evaluate_items(const Node& node, const Environment& environment) {
  std::vector<Value> values;
  for (const auto& operand : node.operands) {
    if (operand->kind == Kind::List && node.kind == Kind::Call) {
      auto items = evaluate_items(*operand, environment);
      if (!items) return items;
      values.insert(values.end(), items->begin(), items->end());
      continue;
    }
    auto value = evaluate_node(*operand, environment);
    if (!value) return fail(value.error());
    values.push_back(std::move(*value));
  }
  return values;
}

Result<bool> contains(const Node& container, const Value& sought, const Environment& environment) {
  if (container.kind == Kind::List) {
    auto items = evaluate_items(container, environment);
    if (!items) return fail(items.error());
    return std::any_of(items->begin(), items->end(), [&](const Value& item) { return *compare("==", item, sought); });
  }
  auto text = evaluate_node(container, environment);
  if (!text) return fail(text.error());
  const auto *whole = std::get_if<std::string>(&*text), *part = std::get_if<std::string>(&sought);
  if (whole == nullptr || part == nullptr) return fail("E-EXPRESSION", "in needs a list on its right");
  return whole->find(*part) != std::string::npos;
}

Result<Value> evaluate_compare(const Node& node, const Environment& environment) {
  auto left = evaluate_node(*node.operands[0], environment);
  for (std::size_t i = 0; left && i < node.operators.size(); ++i) {
    const std::string& op = node.operators[i];
    const Node& operand = *node.operands[i + 1];
    if (op == "in" || op == "not in") {
      const auto inside = contains(operand, *left, environment);
      if (!inside) return fail(inside.error());
      if (*inside != (op == "in")) return Value(false);
      if (i + 1 == node.operators.size()) return Value(true);
    }
    auto right = evaluate_node(operand, environment);
    if (!right) return right;
    if (op != "in" && op != "not in") {
      const auto holds = compare(op, *left, *right);
      if (!holds) return fail(holds.error());
      if (!*holds) return Value(false);
    }
    left = std::move(right);
  }
  return left ? Result<Value>(Value(true)) : left;
}

/// Python's: the first operand that decides, not its truth.
Result<Value> evaluate_chain(const Node& node, const Environment& environment) {
  for (std::size_t i = 0; i + 1 < node.operands.size(); ++i) {
    auto value = evaluate_node(*node.operands[i], environment);
    if (!value || truth(*value) == (node.kind == Kind::Or)) return value;
  }
  return evaluate_node(*node.operands.back(), environment);
}

Result<Value> evaluate_binary(const Node& node, const Environment& environment) {
  auto left = evaluate_node(*node.operands[0], environment);
  if (!left) return left;
  auto right = evaluate_node(*node.operands[1], environment);
  if (!right) return right;
  return apply_operator(node.text, *left, *right);
}

Result<Value> evaluate_node(const Node& node, const Environment& environment) {
  switch (node.kind) {
    case Kind::Literal: return node.value;
    case Kind::Name: {
      auto value = environment(node.text);
      if (!value) return fail("E-EXPRESSION", node.text + " is not known here");
      return *value;
    }
    case Kind::Unary: {
      auto operand = evaluate_node(*node.operands[0], environment);
      if (!operand) return operand;
      return node.text == "not" ? Value(!truth(*operand)) : negate(*operand);
    }
    case Kind::Binary: return evaluate_binary(node, environment);
    case Kind::Compare: return evaluate_compare(node, environment);
    case Kind::And:
    case Kind::Or: return evaluate_chain(node, environment);
    case Kind::Call: {
      auto arguments = evaluate_items(node, environment);
      if (!arguments) return fail(arguments.error());
      return apply_function(node.text, *arguments);
    }
    case Kind::List: return fail("E-EXPRESSION", "a list is only allowed after in and within min, max and sum");
    case Kind::Select: break;
  }
  auto condition = evaluate_node(*node.operands[1], environment);
  if (!condition) return condition;
  return evaluate_node(*node.operands[truth(*condition) ? 0 : 2], environment);
}

}  // namespace

Result<Value> Expression::evaluate(const Environment& environment) const {
  auto value = evaluate_node(*root_, environment);
  if (!value) return fail(std::move(value).error().context("evaluating " + print()));
  return value;
}

Result<std::int64_t> Expression::evaluate_integer(const Environment& environment) const {
  const auto value = evaluate(environment);
  if (!value) return fail(value.error());
  const auto integer = as_integer(*value);
  if (!integer) return fail("E-EXPRESSION", print() + " is " + hone::print(*value) + ", not an integer");
  return *integer;
}

Result<double> Expression::evaluate_real(const Environment& environment) const {
  const auto value = evaluate(environment);
  if (!value) return fail(value.error());
  const auto real = as_real(*value);
  if (!real) return fail("E-EXPRESSION", print() + " is " + hone::print(*value) + ", not a number");
  return *real;
}

Result<bool> Expression::evaluate_condition(const Environment& environment) const {
  const auto value = evaluate(environment);
  if (!value) return fail(value.error());
  return truth(*value);
}

}  // namespace hone
