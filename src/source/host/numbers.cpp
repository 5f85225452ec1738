#include <bit>
#include <cmath>

#include "source/host/machine.hpp"

namespace hone::host {
namespace {

using NumberKind = HostValue::Kind;
using hone::Expression;

bool is_literal(const Expression& e) { return e.root().kind == Expression::Kind::Literal; }
Expression literal(std::int64_t v) { return Expression::literal(hone::Value(v)); }

std::size_t size_of_expression(const Expression::Node& node, std::size_t limit) {
  std::size_t out = 1;
  for (const auto& operand : node.operands) {
    if (out > limit) return out;
    out += size_of_expression(*operand, limit - out);
  }
  return out;
}

std::int64_t wrapped(std::int64_t value, const Type* type) {
  if (type == nullptr || type->kind != Type::Kind::Integer || type->bytes <= 0 || type->bytes >= 8) return value;
  const auto bits = static_cast<unsigned>(type->bytes * 8);
  const auto mask = (1ULL << bits) - 1;
  const auto low = static_cast<std::uint64_t>(value) & mask;
  if (type->is_signed && (low >> (bits - 1)) != 0) return static_cast<std::int64_t>(low | ~mask);
  return static_cast<std::int64_t>(low);
}

std::optional<std::int64_t> whole_result(const std::string& op, std::int64_t a, std::int64_t b, bool is_unsigned) {
  const auto ua = static_cast<std::uint64_t>(a);
  const auto ub = static_cast<std::uint64_t>(b);
  const auto back = [](std::uint64_t v) { return static_cast<std::int64_t>(v); };
  if (op == "+") return back(ua + ub);
  if (op == "-") return back(ua - ub);
  if (op == "*") return back(ua * ub);
  if (op == "&") return a & b;
  if (op == "|") return a | b;
  if (op == "^") return a ^ b;
  if (op == "<<") return b >= 0 && b < 64 ? std::optional(back(ua << ub)) : std::nullopt;
  if (op == ">>") return b >= 0 && b < 64 ? std::optional(is_unsigned ? back(ua >> ub) : a >> b) : std::nullopt;
  if (op == "/" || op == "%") {
    if (b == 0 || (a == INT64_MIN && b == -1)) return std::nullopt;
    if (is_unsigned) return op == "/" ? back(ua / ub) : back(ua % ub);
    return op == "/" ? a / b : a % b;
  }
  if (op == "<") return is_unsigned ? ua < ub : a < b;
  if (op == ">") return is_unsigned ? ua > ub : a > b;
  if (op == "<=") return is_unsigned ? ua <= ub : a <= b;
  if (op == ">=") return is_unsigned ? ua >= ub : a >= b;
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  return std::nullopt;
}

std::optional<double> real_result(const std::string& op, double a, double b) {
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "*") return a * b;
  if (op == "/") return b != 0.0 ? std::optional(a / b) : std::nullopt;
  return std::nullopt;
}

std::optional<bool> compared(const std::string& op, double a, double b) {
  if (op == "<") return a < b;
  if (op == ">") return a > b;
  if (op == "<=") return a <= b;
  if (op == ">=") return a >= b;
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  return std::nullopt;
}

/// The operation in the expression language; nothing when it has no counterpart there.
std::optional<Expression> written(const std::string& op, const HostValue& a, const HostValue& b, bool is_real) {
  if (op == "+" || op == "-" || op == "*") return Expression::binary(op, a.number, b.number);
  if (op == "/") return Expression::binary(is_real ? "/" : "//", a.number, b.number);
  if (op == "%") return Expression::binary("%", a.number, b.number);
  const auto by = b.whole();
  if (!by || !is_literal(b.number)) return std::nullopt;
  if (op == "<<" && *by >= 0 && *by < 62) return Expression::binary("*", a.number, literal(1LL << *by));
  if (op == ">>" && *by >= 0 && *by < 62) return Expression::binary("//", a.number, literal(1LL << *by));
  if (op == "&") {
    const auto low = static_cast<std::uint64_t>(*by) + 1;
    if (*by > 0 && std::has_single_bit(low))
      return Expression::binary("%", a.number, literal(static_cast<std::int64_t>(low)));
    const auto step = 0 - static_cast<std::uint64_t>(*by);
    const auto step32 = 0 - static_cast<std::uint32_t>(static_cast<std::uint64_t>(*by));
    const auto power = std::has_single_bit(step)                         ? static_cast<std::int64_t>(step)
                       : (*by >> 32) == 0 && std::has_single_bit(step32) ? static_cast<std::int64_t>(step32)
                                                                         : 0;
    if (power > 1) return Expression::binary("*", Expression::binary("//", a.number, literal(power)), literal(power));
  }
  return std::nullopt;
}

bool compares(const std::string& op) {
  return op == "<" || op == ">" || op == "<=" || op == ">=" || op == "==" || op == "!=";
}

Provenance::Kind weaker(Provenance::Kind a, Provenance::Kind b) { return std::max(a, b); }

HostValue pointers(const std::string& op, const HostValue& a, const HostValue& b) {
  const bool equal = op == "==" || op == "!=";
  const auto truth = [&](bool same_thing) { return number(same_thing == (op == "==") ? 1 : 0); };
  const auto is_zero = [](const HostValue& v) {
    return v.is(NumberKind::Null) || (v.is(NumberKind::Number) && v.whole() == 0 && is_literal(v.number));
  };
  const auto is_something = [](const HostValue& v) {
    return v.is(NumberKind::Pointer) || v.is(NumberKind::Text) || v.is(NumberKind::Handle) ||
           v.is(NumberKind::Function) || v.is(NumberKind::Lambda) || v.is(NumberKind::Array) ||
           v.is(NumberKind::Record);
  };
  if (equal && is_zero(a) && is_zero(b)) return truth(true);
  if (equal && ((is_zero(a) && is_something(b)) || (is_zero(b) && is_something(a)))) return truth(false);
  if (a.is(NumberKind::Pointer) && b.is(NumberKind::Pointer) && !a.at.vague && !b.at.vague) {
    if (equal) return truth(a.at == b.at);
    const bool comparable = a.at.slot == b.at.slot && a.at.path.size() == b.at.path.size() && !a.at.path.empty();
    if (comparable && (op == "-" || compares(op))) {
      const auto x = a.at.path.back().index, y = b.at.path.back().index;
      if (op == "-") return number(x - y);
      return number(whole_result(op, x, y, false).value_or(0));
    }
  }
  if (equal && a.is(NumberKind::Handle) && b.is(NumberKind::Handle)) return truth(a.at == b.at);
  if (equal && a.is(NumberKind::Text) && b.is(NumberKind::Text)) return truth(a.text == b.text);
  const auto* base = a.is(NumberKind::Pointer) || a.is(NumberKind::Text) ? &a : &b;
  const auto* by = base == &a ? &b : &a;
  if (base->is(NumberKind::Pointer) && by->is(NumberKind::Number) && (op == "+" || op == "-")) {
    auto out = *base;
    if (const auto distance = by->whole()) {
      out.at = base->at.moved(op == "+" ? *distance : -*distance);
    } else {
      if (!out.at.path.empty() && out.at.path.back().field.empty()) out.at.path.pop_back();
      out.at.vague = true;
    }
    return out;
  }
  const auto* device = a.is(NumberKind::Handle) ? &a : b.is(NumberKind::Handle) ? &b : nullptr;
  if (device != nullptr && (op == "+" || op == "-") && (a.is(NumberKind::Number) || b.is(NumberKind::Number))) {
    auto out = *device;  // a part of a buffer is taken for the buffer
    out.from = Provenance::Kind::Inferred;
    return out;
  }
  if (base->is(NumberKind::Text) && by->is(NumberKind::Number) && op == "+") {
    const auto distance = by->whole();
    if (!distance || *distance < 0 || *distance > static_cast<std::int64_t>(base->text.size()))
      return unknown("a text moved by an unknown number");
    auto out = text(base->text.substr(static_cast<std::size_t>(*distance)));
    if (*distance == 0) out = *base;
    return out;
  }
  return unknown("");
}

/// What C makes of a comparison that is summed up, passed or kept: 1 or 0, whichever the sizes make it.
Expression as_number(const Expression& test) {
  Expression::Node node;
  node.kind = Expression::Kind::Select;
  for (const auto& part : {literal(1), test, literal(0)})
    node.operands.push_back(std::make_shared<const Expression::Node>(part.root()));
  return Expression(std::make_shared<const Expression::Node>(std::move(node)));
}

/// Made by an operation, not a name or a literal.
bool is_computed(const HostValue& value) {
  const auto kind = value.number.root().kind;
  return value.real && kind != Expression::Kind::Name && kind != Expression::Kind::Literal;
}

}  // namespace

HostValue Machine::arithmetic(const std::string& op, const HostValue& a, const HostValue& b, const Type* type) {
  if (a.is(NumberKind::Unknown) || b.is(NumberKind::Unknown)) {
    auto out = a.is(NumberKind::Unknown) ? a : b;
    out.input = a.input || b.input;
    return out;
  }
  if (!a.is(NumberKind::Number) || !b.is(NumberKind::Number)) {
    HostValue out = pointers(op, a, b);
    if (out.is(NumberKind::Unknown) && out.text.empty()) out.text = print(a) + " " + op + " " + print(b);
    out.input = a.input || b.input;
    return out;
  }
  const bool is_real = a.real || b.real;
  HostValue out;
  out.kind = NumberKind::Number;
  out.real = is_real && !compares(op);
  out.input = a.input || b.input;
  out.device = a.device || b.device;
  out.from = weaker(a.from, b.from);
  out.place = b.place.empty() ? a.place : b.place;
  const bool is_unsigned = type != nullptr && type->kind == Type::Kind::Integer && !type->is_signed && type->bytes == 8;
  if (a.known && b.known) {
    if (is_real && compares(op)) {
      if (const auto truth = compared(op, a.as_real().value_or(0), b.as_real().value_or(0)))
        out.known = hone::Value(std::int64_t{*truth ? 1 : 0});
    } else if (is_real) {
      if (auto value = real_result(op, a.as_real().value_or(0), b.as_real().value_or(0))) {
        if (type != nullptr && type->kind == Type::Kind::Real && type->bytes == 4)
          value = static_cast<double>(static_cast<float>(*value));
        out.known = hone::Value(*value);
      }
    } else if (const auto x = a.whole(), y = b.whole(); x && y) {
      if (const auto value = whole_result(op, *x, *y, is_unsigned))
        out.known = hone::Value(compares(op) ? *value : wrapped(*value, type));
    }
    if (!out.known) return unknown("cannot be computed: " + print(a) + " " + op + " " + print(b));
  }
  const bool plain = is_literal(a.number) && is_literal(b.number);
  if (!plain && compares(op)) out.test = std::make_shared<const Expression>(Expression::binary(op, a.number, b.number));
  const auto expression = plain ? std::nullopt : out.test ? as_number(*out.test) : written(op, a, b, is_real);
  if (expression && size_of_expression(expression->root(), 120) <= 120) {
    out.number = *expression;
    // A float rounds after each operation, the expression once at its end: of one operation both give the same.
    const bool rounds = type != nullptr && type->kind == Type::Kind::Real && type->bytes == 4;
    if (rounds && out.real && (is_computed(a) || is_computed(b)))
      out.from = weaker(out.from, Provenance::Kind::Inferred);
  } else if (out.known) {
    out.number = Expression::literal(*out.known);
    if (!plain) out.from = weaker(out.from, Provenance::Kind::Inferred);
  } else {
    HostValue no = unknown(print(a) + " " + op + " " + print(b));
    no.input = out.input;
    return no;
  }
  return out;
}

HostValue Machine::convert(const HostValue& value, const Type* type) {
  if (type == nullptr || !value.is(NumberKind::Number)) {
    if (type != nullptr && type->kind == Type::Kind::Bool) {
      if (const auto truth = value.truth()) return number(*truth ? 1 : 0);
    }
    return value;
  }
  HostValue out = value;
  if (type->kind == Type::Kind::Bool) {
    const auto truth = value.truth();
    if (!truth) return value;
    out = number(*truth ? 1 : 0);
    out.input = value.input;
    if (const auto test = test_of(value)) out.test = std::make_shared<const Expression>(*test);
    return out;
  }
  if (type->kind == Type::Kind::Real) {
    out.real = true;
    if (const auto v = value.as_real()) {
      out.known = hone::Value(type->bytes == 4 ? static_cast<double>(static_cast<float>(*v)) : *v);
      if (is_literal(value.number)) out.number = Expression::literal(*out.known);
    }
    return out;
  }
  if (type->kind != Type::Kind::Integer) return out;
  if (!value.real) {
    if (const auto v = value.whole()) {
      const auto fits = wrapped(*v, type);
      out.known = hone::Value(fits);
      if (is_literal(value.number) || fits != *v) out.number = literal(fits);
    }
    return out;
  }
  out.real = false;
  const auto& root = value.number.root();
  const bool quotient = root.kind == Expression::Kind::Binary && root.text == "/";
  const bool rounded = root.kind == Expression::Kind::Call ||
                       (root.kind == Expression::Kind::Binary && root.text == "//") ||
                       root.kind == Expression::Kind::Name;
  if (const auto v = value.as_real(); v && std::abs(*v) < 9e18)
    out.known = hone::Value(wrapped(static_cast<std::int64_t>(*v), type));
  if (quotient) {
    out.number = Expression::binary("//", Expression(root.operands[0]), Expression(root.operands[1]));
  } else if (!rounded && out.known) {
    if (!is_literal(value.number)) out.from = weaker(out.from, Provenance::Kind::Inferred);
    out.number = Expression::literal(*out.known);
  }
  return out;
}

}  // namespace hone::host
