#include "affine/polynomial.hpp"

#include <algorithm>
#include <cmath>

namespace hone::affine {

Polynomial::Polynomial(std::int64_t constant) { add({}, constant); }

Polynomial Polynomial::symbol(std::string name) {
  Polynomial out;
  out.add({std::move(name)}, 1);
  return out;
}

void Polynomial::add(const Monomial& monomial, std::int64_t coefficient) {
  const auto sum = terms_[monomial] += coefficient;
  if (sum == 0) terms_.erase(monomial);
}

std::optional<std::int64_t> Polynomial::constant() const {
  if (terms_.empty()) return 0;
  if (terms_.size() == 1 && terms_.begin()->first.empty()) return terms_.begin()->second;
  return std::nullopt;
}

std::int64_t Polynomial::constant_part() const {
  const auto found = terms_.find({});
  return found == terms_.end() ? 0 : found->second;
}

bool Polynomial::mentions(const std::string& symbol) const { return degree_in(symbol) > 0; }

std::set<std::string> Polynomial::symbols() const {
  std::set<std::string> out;
  for (const auto& [monomial, unused] : terms_) out.insert(monomial.begin(), monomial.end());
  return out;
}

int Polynomial::degree_in(const std::string& symbol) const {
  std::ptrdiff_t degree = 0;
  for (const auto& [monomial, unused] : terms_) degree = std::max(degree, std::ranges::count(monomial, symbol));
  return static_cast<int>(degree);
}

std::optional<Polynomial> Polynomial::coefficient(const std::string& symbol) const {
  Polynomial out;
  for (const auto& [monomial, factor] : terms_) {
    const auto power = std::ranges::count(monomial, symbol);
    if (power > 1) return std::nullopt;
    if (power == 0) continue;
    Monomial rest = monomial;
    rest.erase(std::ranges::find(rest, symbol));
    out.add(rest, factor);
  }
  return out;
}

Polynomial Polynomial::substitute(const std::string& symbol, const Polynomial& value) const {
  Polynomial out;
  for (const auto& [monomial, factor] : terms_) {
    Polynomial term = factor;
    for (const auto& one : monomial) term = term * (one == symbol ? value : Polynomial::symbol(one));
    out += term;
  }
  return out;
}

double Polynomial::magnitude() const {
  double sum = 0;
  for (const auto& [unused, factor] : terms_) sum += std::abs(static_cast<double>(factor));
  return sum;
}

Polynomial& Polynomial::operator+=(const Polynomial& other) {
  for (const auto& [monomial, factor] : other.terms_) add(monomial, factor);
  return *this;
}

Polynomial operator-(const Polynomial& a, const Polynomial& b) { return a + b * Polynomial(-1); }

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  Polynomial out;
  for (const auto& [left, x] : a.terms_) {
    for (const auto& [right, y] : b.terms_) {
      Polynomial::Monomial product = left;
      product.insert(product.end(), right.begin(), right.end());
      std::ranges::sort(product);
      out.add(product, x * y);
    }
  }
  return out;
}

namespace {

/// Products first and the constant last, as people write them.
std::vector<std::pair<Polynomial::Monomial, std::int64_t>> in_reading_order(const Polynomial::Terms& terms) {
  std::vector<std::pair<Polynomial::Monomial, std::int64_t>> out(terms.begin(), terms.end());
  std::ranges::stable_sort(out, [](const auto& a, const auto& b) {
    if ((a.second > 0) != (b.second > 0)) return a.second > 0;
    return a.first.size() > b.first.size();
  });
  return out;
}

Expression product_of(const Polynomial::Monomial& monomial, std::int64_t factor) {
  std::optional<Expression> out;
  if (factor != 1 || monomial.empty()) out = Expression::literal(Value(factor));
  for (const auto& symbol : monomial) {
    out = out ? Expression::binary("*", *out, Expression::name(symbol)) : Expression::name(symbol);
  }
  return *out;
}

}  // namespace

Expression Polynomial::expression() const {
  std::optional<Expression> out;
  for (const auto& [monomial, factor] : in_reading_order(terms_)) {
    if (!out) {
      out = product_of(monomial, factor);
    } else if (factor < 0) {
      out = Expression::binary("-", *out, product_of(monomial, -factor));
    } else {
      out = Expression::binary("+", *out, product_of(monomial, factor));
    }
  }
  return out.value_or(Expression::literal(Value(std::int64_t{0})));
}

std::string Polynomial::print() const { return expression().print(); }

}  // namespace hone::affine
