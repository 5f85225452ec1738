#include "affine/polynomial.hpp"
#include "mep/draft.hpp"

namespace hone::mep {
namespace {

using affine::Polynomial;

std::optional<Polynomial> polynomial_of(const Expression::Node& node) {
  if (node.kind == Expression::Kind::Literal) {
    const auto* whole = std::get_if<std::int64_t>(&node.value);
    return whole != nullptr ? std::optional(Polynomial(*whole)) : std::nullopt;
  }
  if (node.kind == Expression::Kind::Name) return Polynomial::symbol(node.text);
  if (node.kind != Expression::Kind::Binary || node.operands.size() != 2) return std::nullopt;
  const auto a = polynomial_of(*node.operands[0]);
  const auto b = polynomial_of(*node.operands[1]);
  if (!a || !b) return std::nullopt;
  if (node.text == "+") return *a + *b;
  if (node.text == "-") return *a - *b;
  if (node.text == "*" && a->magnitude() * b->magnitude() < 1e15) return *a * *b;
  const auto divisor = b->constant();
  if (node.text != "//" || !divisor || *divisor <= 0) return std::nullopt;
  if (const auto whole = a->constant(); whole && *whole >= 0) return Polynomial(*whole / *divisor);
  Polynomial out;  // 4*n // 4
  for (const auto& [monomial, factor] : a->terms()) {
    if (factor % *divisor != 0) return std::nullopt;
    Polynomial term = factor / *divisor;
    for (const auto& symbol : monomial) term = term * Polynomial::symbol(symbol);
    out += term;
  }
  return out;
}

/// 4 * x // 4 is x, whatever x is.
std::optional<Expression> quotient_of_product(const Expression::Node& node) {
  if (node.text != "//") return std::nullopt;
  const auto& product = *node.operands[0];
  const auto divisor = polynomial_of(*node.operands[1]);
  if (product.kind != Expression::Kind::Binary || product.text != "*" || !divisor || !divisor->constant())
    return std::nullopt;
  for (const std::size_t side : {0U, 1U}) {
    const auto factor = polynomial_of(*product.operands[side]);
    const auto number = factor ? factor->constant() : std::nullopt;
    if (number && *divisor->constant() > 0 && *number % *divisor->constant() == 0) {
      const Expression other(product.operands[1 - side]);
      const auto times = *number / *divisor->constant();
      return times == 1 ? other : Expression::binary("*", Expression::literal(Value(times)), other);
    }
  }
  return std::nullopt;
}

}  // namespace

Expression simplified(const Expression& expression) {
  if (const auto p = polynomial_of(expression.root())) return p->expression();
  const auto& node = expression.root();
  if (node.kind == Expression::Kind::Binary && node.operands.size() == 2) {
    if (const auto whole = quotient_of_product(node)) return simplified(*whole);
    return Expression::binary(node.text, simplified(Expression(node.operands[0])),
                              simplified(Expression(node.operands[1])));
  }
  return expression;
}

Expression::Environment environment(const Draft& draft, const Sizes& sizes) {
  return [&draft, &sizes](std::string_view view) -> std::optional<Value> {
    const std::string name(view);
    if (const auto found = sizes.find(name); found != sizes.end()) return Value(found->second);
    if (const auto found = draft.fixed.find(name); found != draft.fixed.end()) return found->second;
    return std::nullopt;
  };
}

}  // namespace hone::mep
