#include "support/interpreter_value.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace hone::testing {
namespace {

using ir::Scalar;

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

double rounded(double v, Scalar s) { return s == Scalar::Float ? static_cast<float>(v) : v; }

std::int64_t from_real(double v, Scalar s) {
  if (std::isnan(v)) return 0;
  if (s == Scalar::Bool) return v != 0 ? 1 : 0;
  if (s == Scalar::ULong) return static_cast<std::int64_t>(static_cast<std::uint64_t>(v));
  return wrapped(static_cast<std::int64_t>(std::clamp(v, -9.2e18, 9.2e18)), s);
}

bool is_unsigned(const ir::Type& t) { return !t.is_signed(); }

Value plain(const ir::Type& type) {
  Value out;
  out.type = type;
  out.type.is_const = out.type.is_volatile = false;
  out.type.space = ir::AddressSpace::Private;
  return out;
}

std::int64_t integer_op(const std::string& op, std::int64_t a, std::int64_t b, const ir::Type& t) {
  const auto ua = static_cast<std::uint64_t>(a);
  const auto ub = static_cast<std::uint64_t>(b);
  const int bits = static_cast<int>(8 * ir::size_of(ir::lane_of(t)));
  if (op == "+") return static_cast<std::int64_t>(ua + ub);
  if (op == "-") return static_cast<std::int64_t>(ua - ub);
  if (op == "*") return static_cast<std::int64_t>(ua * ub);
  if (op == "&") return a & b;
  if (op == "|") return a | b;
  if (op == "^") return a ^ b;
  if (op == "<<") return static_cast<std::int64_t>(ua << (ub & static_cast<std::uint64_t>(bits - 1)));
  if (op == ">>") {
    const auto by = ub & static_cast<std::uint64_t>(bits - 1);
    return is_unsigned(t) ? static_cast<std::int64_t>(ua >> by) : a >> by;
  }
  if (op != "/" && op != "%") throw Refused("the operator " + op);
  if (b == 0) throw Refused("a division by zero");
  if (is_unsigned(t)) return static_cast<std::int64_t>(op == "/" ? ua / ub : ua % ub);
  if (b == -1) return op == "/" ? static_cast<std::int64_t>(0 - ua) : 0;
  return op == "/" ? a / b : a % b;
}

double real_op(const std::string& op, double a, double b) {
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "*") return a * b;
  if (op == "/") return a / b;
  throw Refused("the operator " + op + " on reals");
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

Value pointer_step(const Value& pointer, std::int64_t by) {
  Value out = pointer;
  out.offset += by * ir::size_of(*pointer.type.pointee);
  return out;
}

}  // namespace

MemoryPtr allocate(std::string name, std::size_t size) {
  auto memory = std::make_shared<Memory>();
  memory->name = std::move(name);
  memory->owned.assign(size, 0);
  memory->bytes = &memory->owned;
  return memory;
}

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

Value load(const Place& place) {
  if (place.type.is_array()) {
    Value out;
    out.type = ir::pointer_to(ir::element_of(place.type));
    out.memory = place.memory;
    out.offset = place.offset;
    return out;
  }
  if (!place.lanes.empty()) {
    const Value whole = load({place.memory, place.offset, place.type, {}});
    Value out = plain(ir::scalar_type(place.type.scalar, static_cast<int>(place.lanes.size())));
    for (std::size_t l = 0; l < place.lanes.size(); ++l) {
      out.integers[l] = whole.integer(place.lanes[l]);
      out.reals[l] = place.type.is_floating() ? whole.real(place.lanes[l]) : 0;
    }
    return out;
  }
  const auto size = ir::size_of(place.type);
  if (size == 0) throw Refused("a value whose size is not known");
  if (place.offset < 0 || place.offset + size > static_cast<std::int64_t>(place.memory->bytes->size()))
    throw Refused("an access outside " + place.memory->name);
  const auto* from = place.memory->bytes->data() + place.offset;
  Value out = plain(place.type);
  const auto step = size / (place.type.lanes == 3 ? 4 : place.type.lanes);
  for (int l = 0; l < place.type.lanes; ++l, from += step) {
    const auto at = static_cast<std::size_t>(l);
    float single = 0;
    switch (place.type.scalar) {
      case Scalar::Float:
        std::memcpy(&single, from, 4);
        out.reals[at] = single;
        break;
      case Scalar::Double: std::memcpy(&out.reals[at], from, 8); break;
      default:
        std::memcpy(&out.integers[at], from, static_cast<std::size_t>(step));
        out.integers[at] = wrapped(out.integers[at], place.type.scalar);
    }
  }
  return out;
}

void store(const Place& place, const Value& value) {
  if (!place.lanes.empty()) {
    const Place all = {place.memory, place.offset, place.type, {}};
    Value whole = load(all);
    const Value part = converted(value, ir::scalar_type(place.type.scalar, static_cast<int>(place.lanes.size())));
    for (std::size_t l = 0; l < place.lanes.size(); ++l) {
      whole.integers[static_cast<std::size_t>(place.lanes[l])] = part.integers[l];
      whole.reals[static_cast<std::size_t>(place.lanes[l])] = part.reals[l];
    }
    return store(all, whole);
  }
  const auto size = ir::size_of(place.type);
  if (size == 0 || place.type.pointee) throw Refused("a store of what has no bytes");
  if (place.offset < 0 || place.offset + size > static_cast<std::int64_t>(place.memory->bytes->size()))
    throw Refused("an access outside " + place.memory->name);
  const Value v = converted(value, place.type);
  auto* to = place.memory->bytes->data() + place.offset;
  const auto step = size / (place.type.lanes == 3 ? 4 : place.type.lanes);
  for (int l = 0; l < place.type.lanes; ++l, to += step) {
    const auto at = static_cast<std::size_t>(l);
    const auto single = static_cast<float>(v.reals[at]);
    switch (place.type.scalar) {
      case Scalar::Float: std::memcpy(to, &single, 4); break;
      case Scalar::Double: std::memcpy(to, &v.reals[at], 8); break;
      default: std::memcpy(to, &v.integers[at], static_cast<std::size_t>(step));
    }
  }
}

Value binary(const std::string& op, const Value& a, const Value& b) {
  if (op == ",") return b;
  if (a.memory && !b.memory) return pointer_step(a, op == "-" ? -b.integer(0) : b.integer(0));
  if (b.memory && !a.memory && op == "+") return pointer_step(b, a.integer(0));
  if (a.memory || b.memory) throw Refused("arithmetic of two pointers");
  const bool shift = op == "<<" || op == ">>";
  const ir::Type wide = shift ? ir::common_type(a.type, ir::scalar_type(Scalar::Int)) : ir::common_type(a.type, b.type);
  const ir::Type type = shift && a.type.lanes == 1 ? ir::common_type(a.type, a.type) : wide;
  const Value x = converted(a, type);
  const Value y = shift ? b : converted(b, type);
  if (is_comparison(op)) return comparison(op, x, y, type);
  Value out = plain(type);
  for (int l = 0; l < type.lanes; ++l) {
    const auto at = static_cast<std::size_t>(l);
    if (type.is_floating())
      out.reals[at] = rounded(real_op(op, x.real(l), y.real(l)), type.scalar);
    else
      out.integers[at] = wrapped(integer_op(op, x.integer(l), y.integer(l), type), type.scalar);
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
  throw Refused("the operator " + op);
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
      if (at == std::string::npos) throw Refused("the member " + field);
      out.push_back(static_cast<int>(at));
    }
  }
  return out;
}

}  // namespace hone::testing
