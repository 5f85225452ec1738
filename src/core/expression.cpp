#include "core/expression.hpp"

#include <algorithm>

namespace hone {

using Node = Expression::Node;
using NodePtr = Expression::NodePtr;
using Kind = Expression::Kind;

namespace {

bool is_comparison(std::string_view op) {
  static const std::string_view all[] = {"<", "<=", ">", ">=", "==", "!=", "in", "not in"};
  return std::find(std::begin(all), std::end(all), op) != std::end(all);
}

bool same(const Node& a, const Node& b) {
  return a.kind == b.kind && a.value == b.value && a.text == b.text && a.operators == b.operators &&
         std::equal(a.operands.begin(), a.operands.end(), b.operands.begin(), b.operands.end(),
                    [](const NodePtr& x, const NodePtr& y) { return x == y || same(*x, *y); });
}

void collect_names(const Node& node, std::vector<std::string>& names) {
  if (node.kind == Kind::Name && std::find(names.begin(), names.end(), node.text) == names.end()) {
    names.push_back(node.text);
  }
  for (const auto& operand : node.operands) collect_names(*operand, names);
}

using Replacement = std::function<std::optional<Expression>(std::string_view)>;

NodePtr replaced(const NodePtr& node, const Replacement& with) {
  if (node->kind == Kind::Name) {
    const auto replacement = with(node->text);
    return replacement ? std::make_shared<const Node>(replacement->root()) : node;
  }
  auto copy = std::make_shared<Node>(*node);
  for (auto& operand : copy->operands) operand = replaced(operand, with);
  return copy;
}

}  // namespace

Expression::Expression() : Expression(literal(Value(std::int64_t{0}))) {}

Expression Expression::literal(Value value) {
  Node node;
  node.value = std::move(value);
  return Expression(std::make_shared<const Node>(std::move(node)));
}

Expression Expression::name(std::string name) {
  Node node;
  node.kind = Kind::Name;
  node.text = std::move(name);
  return Expression(std::make_shared<const Node>(std::move(node)));
}

Expression Expression::binary(std::string op, Expression left, Expression right) {
  Node node;
  node.operands = {std::move(left.root_), std::move(right.root_)};
  if (op == "and" || op == "or") {
    node.kind = op == "and" ? Kind::And : Kind::Or;
  } else if (is_comparison(op)) {
    node.kind = Kind::Compare;
    node.operators = {std::move(op)};
  } else {
    node.kind = Kind::Binary;
    node.text = std::move(op);
  }
  return Expression(std::make_shared<const Node>(std::move(node)));
}

Expression Expression::call(std::string function, std::vector<Expression> arguments) {
  Node node;
  node.kind = Kind::Call;
  node.text = std::move(function);
  for (auto& argument : arguments) node.operands.push_back(std::move(argument.root_));
  return Expression(std::make_shared<const Node>(std::move(node)));
}

std::vector<std::string> Expression::names() const {
  std::vector<std::string> names;
  collect_names(*root_, names);
  return names;
}

Expression Expression::substitute(const Replacement& with) const { return Expression(replaced(root_, with)); }

bool Expression::operator==(const Expression& other) const {
  return root_ == other.root_ || same(*root_, *other.root_);
}

}  // namespace hone
