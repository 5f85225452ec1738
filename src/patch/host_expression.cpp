#include "patch/host_expression.hpp"

#include <fmt/format.h>

#include <cmath>

namespace hone::patch {
namespace {

using ExpressionKind = Expression::Kind;
using Node = Expression::Node;

enum Strength { Conditional, Or, And, Equality, Relation, Sum, Product, Unary, Atom };
struct Text {
  std::string text;
  Strength strength = Atom;
};
std::string bracketed(const Text& part, Strength least) {
  return part.strength < least ? "(" + part.text + ")" : part.text;
}

/// C's precedence; a right operand of the same strength is bracketed.
Text joined(const Text& a, const std::string& op, const Text& b, Strength strength) {
  return {bracketed(a, strength) + " " + op + " " + bracketed(b, static_cast<Strength>(strength + 1)), strength};
}

std::optional<std::int64_t> whole(const Node& node) {
  if (node.kind != ExpressionKind::Literal) return std::nullopt;
  if (const auto* integer = std::get_if<std::int64_t>(&node.value)) return *integer;
  const auto* real = std::get_if<double>(&node.value);
  if (real != nullptr && std::floor(*real) == *real && std::fabs(*real) < 1e15) return static_cast<std::int64_t>(*real);
  return std::nullopt;
}

tl::unexpected<Error> refuse(const std::string& what) {
  return fail("E-LAUNCHSITE", what + " cannot be written at the launch");
}

class Writer {
 public:
  explicit Writer(const HostNames& names) : names_(names) {}

  Result<Text> write(const Node& node) const {
    switch (node.kind) {
      case ExpressionKind::Literal: return literal(node);
      case ExpressionKind::Name: return name(node);
      case ExpressionKind::Unary: return unary(node);
      case ExpressionKind::Binary: return binary(node);
      case ExpressionKind::Compare: return compare(node);
      case ExpressionKind::And: return chain(node, "&&", And);
      case ExpressionKind::Or: return chain(node, "||", Or);
      case ExpressionKind::Call: return call(node);
      case ExpressionKind::Select: return select(node);
      case ExpressionKind::List: break;
    }
    return refuse("a list");
  }

  /// (a + b - 1) / b
  Result<Text> ceil_div(const Node& a, const Node& b) const {
    if (whole(b) == 1) return write(a);
    auto above = write(a);
    auto below = write(b);
    if (!above) return above;
    if (!below) return below;
    Text padded = joined(*above, "+", *below, Sum);
    if (const auto divisor = whole(b))
      padded = joined(*above, "+", {std::to_string(*divisor - 1), Atom}, Sum);
    else
      padded = joined(padded, "-", {"1", Atom}, Sum);
    return joined(padded, "/", *below, Product);
  }

  Result<Text> round_up(const Node& a, const Node& b) const {
    if (whole(b) == 1) return write(a);
    auto groups = ceil_div(a, b);
    auto size = write(b);
    if (!groups) return groups;
    if (!size) return size;
    return joined(*groups, "*", *size, Product);
  }

 private:
  Result<Text> literal(const Node& node) const {
    if (const auto value = whole(node); value && *value >= 0) return Text{std::to_string(*value), Atom};
    if (const auto* truth = std::get_if<bool>(&node.value)) return Text{*truth ? "1" : "0", Atom};
    return refuse(print(node.value));
  }

  Result<Text> name(const Node& node) const {
    if (auto text = names_(node.text)) return Text{*text, Atom};
    return refuse(node.text);
  }

  Result<Text> unary(const Node& node) const {
    if (node.text != "not") return refuse("a negative size");
    auto operand = write(*node.operands[0]);
    if (!operand) return operand;
    return Text{"!" + bracketed(*operand, Unary), Unary};
  }

  Result<Text> binary(const Node& node) const {
    if (node.text == "/" || node.text == "**") return refuse("the operator " + node.text);
    auto a = write(*node.operands[0]);
    auto b = write(*node.operands[1]);
    if (!a) return a;
    if (!b) return b;
    // Sizes are not negative, so that C's division is the floor.
    const std::string op = node.text == "//" ? "/" : node.text;
    return joined(*a, op, *b, op == "+" || op == "-" ? Sum : Product);
  }

  Result<Text> compare(const Node& node) const {
    Text out;
    for (std::size_t i = 0; i < node.operators.size(); ++i) {
      const std::string& op = node.operators[i];
      if (op == "in" || op == "not in") return refuse("the operator " + op);
      auto a = write(*node.operands[i]);
      auto b = write(*node.operands[i + 1]);
      if (!a) return a;
      if (!b) return b;
      const Text link = joined(*a, op, *b, op == "==" || op == "!=" ? Equality : Relation);
      out = i == 0 ? link : joined(out, "&&", link, And);
    }
    return out;
  }

  Result<Text> chain(const Node& node, const std::string& op, Strength strength) const {
    Text out;
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      auto part = write(*node.operands[i]);
      if (!part) return part;
      out = i == 0 ? *part : joined(out, op, *part, strength);
    }
    return out;
  }

  Result<Text> select(const Node& node) const {
    auto value = write(*node.operands[0]);
    auto condition = write(*node.operands[1]);
    auto otherwise = write(*node.operands[2]);
    if (!value) return value;
    if (!condition) return condition;
    if (!otherwise) return otherwise;
    return Text{bracketed(*condition, Or) + " ? " + bracketed(*value, Or) + " : " + bracketed(*otherwise, Or),
                Conditional};
  }

  Result<Text> extreme(const Node& node, const std::string& op) const {
    auto best = write(*node.operands[0]);
    for (std::size_t i = 1; best && i < node.operands.size(); ++i) {
      auto next = write(*node.operands[i]);
      if (!next) return next;
      const Text test = joined(*best, op, *next, Relation);
      best = Text{test.text + " ? " + bracketed(*best, Or) + " : " + bracketed(*next, Or), Conditional};
    }
    return best;
  }

  Result<Text> call(const Node& node) const {
    const auto& operands = node.operands;
    if (node.text == "ceil_div" && operands.size() == 2) return ceil_div(*operands[0], *operands[1]);
    if (node.text == "round_up" && operands.size() == 2) return round_up(*operands[0], *operands[1]);
    if ((node.text == "min" || node.text == "max") && !operands.empty())
      return extreme(node, node.text == "min" ? "<" : ">");
    return refuse(node.text + "(...)");
  }

  const HostNames& names_;
};

Result<std::string> plain(Result<Text> written) {
  if (!written) return fail(std::move(written).error());
  return written->text;
}

}  // namespace

Result<std::string> host_expression(const Expression& expression, const HostNames& names) {
  return plain(Writer(names).write(expression.root()));
}

Result<std::string> host_rounded(const Expression& expression, const Expression& multiple, const HostNames& names) {
  return plain(Writer(names).round_up(expression.root(), multiple.root()));
}

}  // namespace hone::patch
