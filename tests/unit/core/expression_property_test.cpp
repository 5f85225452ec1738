#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/arithmetic.hpp"
#include "core/expression.hpp"

namespace hone {
namespace {

using Kind = Expression::Kind;
using Node = Expression::Node;
using NodePtr = Expression::NodePtr;

Value arbitrary_value() {
  switch (*rc::gen::inRange(0, 4)) {
    case 0: return *rc::gen::arbitrary<bool>();
    case 1: return *rc::gen::arbitrary<std::int64_t>();
    case 2: return *rc::gen::arbitrary<double>();
    default: return *rc::gen::string<std::string>();
  }
}

NodePtr arbitrary_node(int depth);

NodePtr with_operands(Kind kind, std::string text, std::size_t least, std::size_t most, int depth) {
  Node node;
  node.kind = kind;
  node.text = std::move(text);
  const auto count = *rc::gen::inRange(least, most + 1);
  for (std::size_t i = 0; i < count; ++i) node.operands.push_back(arbitrary_node(depth - 1));
  if (kind == Kind::Compare) {
    for (std::size_t i = 1; i < count; ++i) {
      node.operators.push_back(
          *rc::gen::elementOf(std::vector<std::string>{"<", "<=", ">", ">=", "==", "!=", "in", "not in"}));
    }
  }
  return std::make_shared<const Node>(std::move(node));
}

NodePtr arbitrary_node(int depth) {
  const int kind = depth <= 0 ? *rc::gen::inRange(0, 2) : *rc::gen::inRange(0, 10);
  switch (kind) {
    case 0: return std::make_shared<const Node>(Expression::literal(arbitrary_value()).root());
    case 1: {
      const auto name = *rc::gen::elementOf(
          std::vector<std::string>{"a", "TI", "launch.global[0]", "device.local_bytes", "_x1", "inner",
                                   // Words of the language and names of its functions are names of arguments too.
                                   "in", "and", "or", "not", "if", "else", "true", "false", "True", "False", "launch",
                                   "device", "min", "max", "ceil_div", "abs", "sum", "a b", "(n)//(2)"});
      return std::make_shared<const Node>(Expression::name(name).root());
    }
    case 2: return with_operands(Kind::Unary, *rc::gen::elementOf(std::vector<std::string>{"-", "not"}), 1, 1, depth);
    case 3:
    case 4: {
      const auto op = *rc::gen::elementOf(std::vector<std::string>{"+", "-", "*", "/", "//", "%", "**"});
      return with_operands(Kind::Binary, op, 2, 2, depth);
    }
    case 5: return with_operands(Kind::Compare, "", 2, 4, depth);
    case 6: return with_operands(*rc::gen::arbitrary<bool>() ? Kind::And : Kind::Or, "", 2, 3, depth);
    case 7: return with_operands(Kind::Call, *rc::gen::elementOf(function_names()), 0, 3, depth);
    case 8: return with_operands(Kind::List, "", 0, 3, depth);
    default: return with_operands(Kind::Select, "", 3, 3, depth);
  }
}

RC_GTEST_PROP(Expression, ParseOfPrintIsTheSameExpression, ()) {
  const Expression original(arbitrary_node(5));
  const auto text = original.print();
  const auto read = Expression::parse(text);
  RC_LOG() << text << "\n";
  RC_ASSERT(read.has_value());
  RC_ASSERT(*read == original);
}

RC_GTEST_PROP(Expression, EvaluationNeverCrashes, ()) {
  const Expression expression(arbitrary_node(4));
  const auto environment = [](std::string_view) { return std::optional<Value>(arbitrary_value()); };
  const auto value = expression.evaluate(environment);
  RC_ASSERT((value.has_value() || value.error().code() == "E-EXPRESSION"));
}

RC_GTEST_PROP(Expression, ParsingAnyTextEndsWithAValueOrAnError, ()) {
  const auto text =
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab1.0e+-*/%<>=![](),'\"\\ \nnotinifelseor")));
  const auto read = Expression::parse(text);
  RC_ASSERT((read.has_value() || read.error().code() == "E-EXPRESSION"));
}

}  // namespace
}  // namespace hone
