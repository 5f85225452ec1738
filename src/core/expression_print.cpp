// Printing with the fewest parentheses that bring the same tree back.

#include "core/expression.hpp"
#include "core/expression_lex.hpp"

namespace hone {

using Node = Expression::Node;
using Kind = Expression::Kind;

namespace {

/// How tightly a node binds; an operand that binds less than its place asks for is put in parentheses.
enum Level { Conditional, Disjunction, Conjunction, Negation, Comparison, Sum, Product, Sign, Power, Atom };

bool is_negative_number(const Value& value) {
  if (std::holds_alternative<std::string>(value) || std::holds_alternative<bool>(value)) return false;
  return print(value).front() == '-';
}

Level level_of(const Node& node) {
  switch (node.kind) {
    case Kind::Literal: return is_negative_number(node.value) ? Sign : Atom;
    case Kind::Unary: return node.text == "not" ? Negation : Sign;
    case Kind::Binary:
      if (node.text == "**") return Power;
      return node.text == "+" || node.text == "-" ? Sum : Product;
    case Kind::Compare: return Comparison;
    case Kind::And: return Conjunction;
    case Kind::Or: return Disjunction;
    case Kind::Select: return Conditional;
    default: return Atom;
  }
}

std::string print_node(const Node& node);

std::string print_at(const Node& node, Level wanted) {
  return level_of(node) < wanted ? "(" + print_node(node) + ")" : print_node(node);
}

std::string print_joined(const Node& node, std::string_view separator, Level wanted) {
  std::string out;
  for (const auto& operand : node.operands) {
    if (!out.empty()) out += separator;
    out += print_at(*operand, wanted);
  }
  return out;
}

std::string print_unary(const Node& node) {
  const Node& operand = *node.operands[0];
  if (node.text == "not") return "not " + print_at(operand, Negation);
  // A minus directly before a number belongs to the number, so the minus of a literal keeps its parentheses.
  const bool number =
      operand.kind == Kind::Literal && level_of(operand) == Atom && !std::holds_alternative<std::string>(operand.value);
  return "-" + (number ? "(" + print_node(operand) + ")" : print_at(operand, Sign));
}

std::string print_binary(const Node& node) {
  const Level own = level_of(node);
  const Level left = own == Power ? Atom : own;
  const Level right = own == Power ? Sign : static_cast<Level>(own + 1);
  return print_at(*node.operands[0], left) + " " + node.text + " " + print_at(*node.operands[1], right);
}

std::string print_compare(const Node& node) {
  std::string out = print_at(*node.operands[0], Sum);
  for (std::size_t i = 0; i < node.operators.size(); ++i) {
    out += " " + node.operators[i] + " " + print_at(*node.operands[i + 1], Sum);
  }
  return out;
}

std::string print_node(const Node& node) {
  switch (node.kind) {
    case Kind::Literal: return print(node.value);
    case Kind::Name: return print_name(node.text);
    case Kind::Unary: return print_unary(node);
    case Kind::Binary: return print_binary(node);
    case Kind::Compare: return print_compare(node);
    case Kind::And: return print_joined(node, " and ", Negation);
    case Kind::Or: return print_joined(node, " or ", Conjunction);
    case Kind::Call: return node.text + "(" + print_joined(node, ", ", Conditional) + ")";
    case Kind::List: return "[" + print_joined(node, ", ", Conditional) + "]";
    case Kind::Select: break;
  }
  // Operands of a Select: value when true, condition, value when false.
  return print_at(*node.operands[0], Disjunction) + " if " + print_at(*node.operands[1], Disjunction) + " else " +
         print_at(*node.operands[2], Conditional);
}

}  // namespace

std::string print_name(const std::string& name) {
  if (is_expression_word(name)) return "`" + name + "`";
  const auto tokens = lex_expression(name);
  const bool reads_back = tokens && tokens->size() == 2 && tokens->front().kind == Token::Kind::Name &&
                          !tokens->front().quoted && tokens->front().text == name;
  return reads_back ? name : "`" + name + "`";
}

std::string Expression::print() const { return print_node(*root_); }

}  // namespace hone
