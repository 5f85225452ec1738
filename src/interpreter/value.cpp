#include "interpreter/value.hpp"

#include <algorithm>
#include <cmath>

namespace hone::interpreter {
namespace {

using ir::Scalar;

double rounded(double v, Scalar s) { return s == Scalar::Float ? static_cast<float>(v) : v; }

std::int64_t from_real(double v, Scalar s) {
  if (std::isnan(v)) return 0;
  if (s == Scalar::Bool) return v != 0 ? 1 : 0;
  if (s == Scalar::ULong) return static_cast<std::int64_t>(static_cast<std::uint64_t>(v));
  return wrapped(static_cast<std::int64_t>(std::clamp(v, -9.2e18, 9.2e18)), s);
}

bool is_unsigned(const ir::Type& t) { return !t.is_signed(); }

struct Whole {
  std::int64_t value = 0;
  bool overflowed = false;
};

/// Sums and products, exact in 64 bits or known not to be.
Whole exact(const std::string& op, std::int64_t a, std::int64_t b, const ir::Type& t) {
  Whole out;
  if (op == "+") out.overflowed = __builtin_add_overflow(a, b, &out.value);
  if (op == "-") out.overflowed = __builtin_sub_overflow(a, b, &out.value);
  if (op == "*") out.overflowed = __builtin_mul_overflow(a, b, &out.value);
  out.overflowed = !is_unsigned(t) && (out.overflowed || wrapped(out.value, t.scalar) != out.value);
  return out;
}

std::int64_t divided(const std::string& op, std::int64_t a, std::int64_t b, const ir::Type& t) {
  if (b == 0) undefined(op == "/" ? "an integer is divided by zero" : "the remainder of a division by zero is taken");
  const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
  if (is_unsigned(t)) return static_cast<std::int64_t>(op == "/" ? ua / ub : ua % ub);
  if (b == -1) {
    if (exact("-", 0, a, t).overflowed) undefined("the smallest integer is divided by -1");
    return op == "/" ? -a : 0;
  }
  return op == "/" ? a / b : a % b;
}

std::int64_t shifted(const std::string& op, std::int64_t a, std::int64_t by, const ir::Type& t) {
  const auto bits = 8 * ir::size_of(ir::lane_of(t));
  if (by < 0 || by >= bits)
    undefined("an integer of " + std::to_string(bits) + " bits is shifted by " + std::to_string(by));
  const auto ua = static_cast<std::uint64_t>(a);
  if (op == "<<") return static_cast<std::int64_t>(ua << by);
  return is_unsigned(t) ? static_cast<std::int64_t>(ua >> by) : a >> by;
}

Whole integer_op(const std::string& op, std::int64_t a, std::int64_t b, const ir::Type& t) {
  if (op == "+" || op == "-" || op == "*") return exact(op, a, b, t);
  if (op == "&") return {a & b};
  if (op == "|") return {a | b};
  if (op == "^") return {a ^ b};
  if (op == "<<" || op == ">>") return {shifted(op, a, b, t)};
  if (op == "/" || op == "%") return {divided(op, a, b, t)};
  unsupported("the operator " + op);
}

double real_op(const std::string& op, double a, double b) {
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "*") return a * b;
  if (op == "/") return a / b;
  unsupported("the operator " + op + " on reals");
}

template <class T>
bool compared(const std::string& op, T a, T b) {
  if (op == "<") return a < b;
  if (op == ">") return a > b;
  if (op == "<=") return a <= b;
  if (op == ">=") return a >= b;
  if (op == "==") return a == b;
  return a != b;
}

bool is_comparison(const std::string& op) {
  return op == "<" || op == ">" || op == "<=" || op == ">=" || op == "==" || op == "!=";
}

Value comparison(const std::string& op, const Value& a, const Value& b, const ir::Type& wide) {
  Value out = plain(wide.lanes > 1
                        ? ir::scalar_type(ir::size_of(ir::lane_of(wide)) == 8 ? Scalar::Long : Scalar::Int, wide.lanes)
                        : ir::int_type());
  for (int l = 0; l < wide.lanes; ++l) {
    bool yes = false;
    if (wide.is_floating())
      yes = compared(op, a.real(l), b.real(l));
    else if (is_unsigned(wide))
      yes = compared(op, static_cast<std::uint64_t>(a.integer(l)), static_cast<std::uint64_t>(b.integer(l)));
    else
      yes = compared(op, a.integer(l), b.integer(l));
    out.integers[static_cast<std::size_t>(l)] = yes ? (wide.lanes > 1 ? -1 : 1) : 0;
  }
  return out;
}

Value pointer_step(const Value& pointer, const Value& by, bool back) {
  Value out = pointer;
  // Unsigned: an index that wraps around once is one below the pointer.
  const auto bytes =
      static_cast<std::uint64_t>(by.integer(0)) * static_cast<std::uint64_t>(ir::size_of(*pointer.type.pointee));
  const auto from = static_cast<std::uint64_t>(pointer.offset);
  out.offset = static_cast<std::int64_t>(back ? from - bytes : from + bytes);
  out.overflowed = pointer.overflowed || by.overflowed;
  return out;
}

}  // namespace

std::int64_t wrapped(std::int64_t v, Scalar s) {
  switch (s) {
    case Scalar::Bool: return v != 0 ? 1 : 0;
    case Scalar::Char: return static_cast<std::int8_t>(v);
    case Scalar::UChar: return static_cast<std::uint8_t>(v);
    case Scalar::Short: return static_cast<std::int16_t>(v);
    case Scalar::UShort: return static_cast<std::uint16_t>(v);
    case Scalar::Int: return static_cast<std::int32_t>(v);
    case Scalar::UInt: return static_cast<std::uint32_t>(v);
    default: return v;
  }
}

Value plain(const ir::Type& type) {
  Value out;
  out.type = type;
  out.type.is_const = out.type.is_volatile = false;
  out.type.space = ir::AddressSpace::Private;
  return out;
}

void stop(Finding::Kind kind, std::string sentence) { throw Stopped{{kind, 0, std::move(sentence)}}; }

double Value::real(int lane) const {
  const auto l = static_cast<std::size_t>(type.lanes == 1 ? 0 : lane);
  if (type.is_floating()) return reals[l];
  return type.scalar == Scalar::ULong ? static_cast<double>(static_cast<std::uint64_t>(integers[l]))
                                      : static_cast<double>(integers[l]);
}
std::int64_t Value::integer(int lane) const { return integers[static_cast<std::size_t>(type.lanes == 1 ? 0 : lane)]; }
bool Value::truth() const { return type.is_floating() ? reals[0] != 0 : integers[0] != 0; }

Value int_value(std::int64_t value, const ir::Type& type) {
  Value out = plain(type);
  out.integers[0] = wrapped(value, type.scalar);
  return out;
}
Value real_value(double value, const ir::Type& type) {
  Value out = plain(type);
  out.reals[0] = rounded(value, type.scalar);
  return out;
}

Value converted(const Value& value, const ir::Type& type) {
  if (type.pointee) {
    Value out = value;
    out.type = type;
    return out;
  }
  Value out = plain(type);
  out.overflowed = value.overflowed;
  for (int l = 0; l < type.lanes; ++l) {
    const auto at = static_cast<std::size_t>(l);
    if (type.is_floating())
      out.reals[at] = rounded(value.real(l), type.scalar);
    else if (value.type.is_floating())
      out.integers[at] = from_real(value.real(l), type.scalar);
    else
      out.integers[at] = wrapped(value.integer(l), type.scalar);
  }
  return out;
}

Value binary(const std::string& op, const Value& a, const Value& b) {
  if (op == ",") return b;
  if (a.memory && !b.memory) return pointer_step(a, b, op == "-");
  if (b.memory && !a.memory && op == "+") return pointer_step(b, a, false);
  if (a.memory || b.memory) unsupported("arithmetic of two pointers");
  const bool shift = op == "<<" || op == ">>";
  const ir::Type wide = shift ? ir::common_type(a.type, ir::scalar_type(Scalar::Int)) : ir::common_type(a.type, b.type);
  const ir::Type type = shift && a.type.lanes == 1 ? ir::common_type(a.type, a.type) : wide;
  const Value x = converted(a, type);
  const Value y = shift ? b : converted(b, type);
  if (is_comparison(op)) return comparison(op, x, y, type);
  Value out = plain(type);
  out.overflowed = a.overflowed || b.overflowed;
  for (int l = 0; l < type.lanes; ++l) {
    const auto at = static_cast<std::size_t>(l);
    if (type.is_floating()) {
      out.reals[at] = rounded(real_op(op, x.real(l), y.real(l)), type.scalar);
      continue;
    }
    const Whole whole = integer_op(op, x.integer(l), y.integer(l), type);
    out.integers[at] = wrapped(whole.value, type.scalar);
    out.overflowed = out.overflowed || whole.overflowed;
  }
  return out;
}

Value unary(const std::string& op, const Value& a) {
  if (op == "!") return int_value(a.truth() ? 0 : 1, ir::int_type());
  const auto type = ir::common_type(a.type, a.type);
  if (op == "+") return converted(a, type);
  if (op == "-" && type.is_floating()) {
    Value out = converted(a, type);
    for (auto& r : out.reals) r = -r;
    return out;
  }
  if (op == "-") return binary("-", converted(int_value(0, ir::lane_of(type)), type), a);
  if (op == "~") return binary("^", converted(int_value(-1, ir::lane_of(type)), type), a);
  unsupported("the operator " + op);
}

Value lanes_of(const Value& vector, const std::vector<int>& lanes) {
  Value out = plain(ir::scalar_type(vector.type.scalar, static_cast<int>(lanes.size())));
  out.overflowed = vector.overflowed;
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    out.integers[l] = vector.integer(lanes[l]);
    out.reals[l] = vector.type.is_floating() ? vector.real(lanes[l]) : 0;
  }
  return out;
}

std::vector<int> swizzle(const std::string& field, int lanes) {
  std::vector<int> out;
  const int half = (lanes + 1) / 2;
  if (field == "lo" || field == "hi") {
    for (int l = 0; l < half; ++l) out.push_back(field == "lo" ? l : half + l);
  } else if (field == "even" || field == "odd") {
    for (int l = 0; l < half; ++l) out.push_back(2 * l + (field == "odd" ? 1 : 0));
  } else if ((field[0] == 's' || field[0] == 'S') && field.size() > 1) {
    for (const char c : field.substr(1)) out.push_back(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
  } else {
    for (const char c : field) {
      const auto at = std::string("xyzw").find(c);
      if (at == std::string::npos) unsupported("the member " + field);
      out.push_back(static_cast<int>(at));
    }
  }
  return out;
}

}  // namespace hone::interpreter
