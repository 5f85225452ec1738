#pragma once
// Integer polynomials over named symbols: what an index of a kernel is before anybody knows whether it is affine.
// Work-item numbers, loop counters, scalar arguments and sizes of the launch are all symbols; `i*n + k` stays exact, so
// strides and extents come out as expressions of the scalars.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/expression.hpp"

namespace hone::affine {

class Polynomial {
 public:
  /// A product of symbols, sorted, repeated for powers; empty for the constant.
  using Monomial = std::vector<std::string>;
  using Terms = std::map<Monomial, std::int64_t>;

  Polynomial() = default;
  Polynomial(std::int64_t constant);  // NOLINT(google-explicit-constructor): numbers are polynomials
  static Polynomial symbol(std::string name);

  const Terms& terms() const { return terms_; }
  bool is_zero() const { return terms_.empty(); }
  std::optional<std::int64_t> constant() const;
  std::int64_t constant_part() const;
  bool mentions(const std::string& symbol) const;
  std::set<std::string> symbols() const;
  int degree_in(const std::string& symbol) const;
  /// What `symbol` is multiplied by where it stands once; nothing when its degree is above one.
  std::optional<Polynomial> coefficient(const std::string& symbol) const;
  Polynomial substitute(const std::string& symbol, const Polynomial& value) const;
  /// Of its coefficients, as a guard against overflow.
  double magnitude() const;

  std::string print() const;
  Expression expression() const;

  Polynomial& operator+=(const Polynomial& other);
  friend Polynomial operator+(Polynomial a, const Polynomial& b) { return a += b; }
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);
  bool operator==(const Polynomial&) const = default;

 private:
  void add(const Monomial& monomial, std::int64_t coefficient);
  Terms terms_;
};

}  // namespace hone::affine
