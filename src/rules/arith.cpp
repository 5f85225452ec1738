#include "rules/arith.hpp"

#include "ir/build.hpp"

namespace hone::rules {
using namespace ir;

std::optional<long long> constant_of(const NodePtr& e) {
  if (is(e, Kind::Unary, "-")) {
    const auto inside = constant_of(operand(e));
    return inside ? std::optional(-*inside) : std::nullopt;
  }
  return is(e, Kind::Cast) ? constant_of(operand(e)) : int_value(e);
}

NodePtr plus(const NodePtr& e, long long offset) {
  if (offset == 0) return e;
  // A cast keeps its type: (uint)3 - 5 is not -2.
  if (const auto value = e->type.scalar == Scalar::Int ? constant_of(e) : std::nullopt)
    return int_literal(*value + offset);
  if (is(e, Kind::Binary, "+"))
    if (const auto value = int_value(right(e))) return plus(left(e), *value + offset);
  return offset < 0 ? binary("-", e, int_literal(-offset)) : binary("+", e, int_literal(offset));
}

}  // namespace hone::rules
