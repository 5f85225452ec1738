#include "source/host/value.hpp"

#include <fmt/format.h>

#include <cmath>

namespace hone::host {
namespace {

constexpr int deepest_value = 24;
using ValueKind = HostValue::Kind;

bool same_parts(const std::optional<HostValue>& a, const std::optional<HostValue>& b, int depth) {
  return a.has_value() == b.has_value() && (!a || same(*a, *b, depth));
}

template <class Key>
bool same_maps(const std::map<Key, HostValue>& a, const std::map<Key, HostValue>& b, int depth) {
  if (a.size() != b.size()) return false;
  for (auto i = a.begin(), j = b.begin(); i != a.end(); ++i, ++j) {
    if (i->first != j->first || !same(i->second, j->second, depth)) return false;
  }
  return true;
}

template <class Key>
std::map<Key, HostValue> join_maps(const std::map<Key, HostValue>& a, const std::map<Key, HostValue>& b, int depth,
                                   const std::optional<HostValue>& rest_a, const std::optional<HostValue>& rest_b) {
  std::map<Key, HostValue> out;
  const auto missing = unknown("set on one way only");
  for (const auto& [key, value] : a) {
    const auto other = b.find(key);
    out[key] = join(value, other == b.end() ? rest_b.value_or(missing) : other->second, depth);
  }
  for (const auto& [key, value] : b) {
    if (!a.contains(key)) out[key] = join(rest_a.value_or(missing), value, depth);
  }
  return out;
}

}  // namespace

Location Location::field(const std::string& name) const {
  auto out = *this;
  out.path.push_back({name, 0});
  return out;
}
Location Location::element(std::int64_t index) const {
  auto out = *this;
  out.path.push_back({{}, index});
  return out;
}
Location Location::moved(std::int64_t by) const {
  auto out = *this;
  if (by == 0) return out;
  if (out.path.empty() || !out.path.back().field.empty()) {
    out.vague = true;  // past a single object
  } else {
    out.path.back().index += by;
  }
  return out;
}

std::optional<std::int64_t> HostValue::whole() const {
  if (kind == ValueKind::Null) return 0;
  if (kind != ValueKind::Number || !known) return std::nullopt;
  if (const auto* i = std::get_if<std::int64_t>(&*known)) return *i;
  if (const auto* b = std::get_if<bool>(&*known)) return *b ? 1 : 0;
  if (const auto* d = std::get_if<double>(&*known); d != nullptr && std::abs(*d) < 9e18)
    return static_cast<std::int64_t>(*d);
  return std::nullopt;
}

std::optional<double> HostValue::as_real() const {
  if (kind != ValueKind::Number || !known) return std::nullopt;
  if (const auto* d = std::get_if<double>(&*known)) return *d;
  if (const auto* i = std::get_if<std::int64_t>(&*known)) return static_cast<double>(*i);
  return std::nullopt;
}

std::optional<bool> HostValue::truth() const {
  switch (kind) {
    case ValueKind::Null: return false;
    case ValueKind::Number:
      if (!known || device) return std::nullopt;
      if (const auto d = as_real()) return *d != 0.0;
      return whole().value_or(0) != 0;
    case ValueKind::Pointer:
    case ValueKind::Text:
    case ValueKind::Handle:
    case ValueKind::Function:
    case ValueKind::Lambda: return true;
    default: return std::nullopt;
  }
}

HostValue unknown(std::string why) {
  HostValue out;
  out.text = std::move(why);
  return out;
}
HostValue number(std::int64_t value) {
  return number(Expression::literal(hone::Value(value)), hone::Value(value), false);
}
HostValue real(double value) { return number(Expression::literal(hone::Value(value)), hone::Value(value), true); }
HostValue number(Expression expression, std::optional<hone::Value> known, bool is_real) {
  HostValue out;
  out.kind = ValueKind::Number;
  out.number = std::move(expression);
  out.known = std::move(known);
  out.real = is_real;
  return out;
}
HostValue text(std::string value) {
  HostValue out;
  out.kind = ValueKind::Text;
  out.text = std::move(value);
  return out;
}
HostValue null() {
  HostValue out;
  out.kind = ValueKind::Null;
  return out;
}
HostValue pointer(Location to) {
  HostValue out;
  out.kind = ValueKind::Pointer;
  out.at = std::move(to);
  return out;
}
HostValue reference(Location to) {
  auto out = pointer(std::move(to));
  out.text = "reference";
  return out;
}
HostValue handle(std::string of, std::int32_t slot) {
  HostValue out;
  out.kind = ValueKind::Handle;
  out.text = std::move(of);
  out.at.slot = slot;
  return out;
}
HostValue record(std::string of) {
  HostValue out;
  out.kind = ValueKind::Record;
  out.text = std::move(of);
  out.parts = std::make_shared<Parts>();
  return out;
}
HostValue array() {
  HostValue out;
  out.kind = ValueKind::Array;
  out.parts = std::make_shared<Parts>();
  return out;
}

std::optional<Expression> test_of(const HostValue& value) {
  if (value.test) return *value.test;
  if (!value.is(ValueKind::Number) || value.number.root().kind == Expression::Kind::Literal) return std::nullopt;
  return Expression::binary("!=", value.number, Expression::literal(hone::Value(std::int64_t{0})));
}

HostValue chosen(const Expression& test, bool truth, const HostValue& taken, const HostValue& other) {
  constexpr std::size_t longest = 400;
  auto out = taken;
  out.from = std::max(taken.from, Provenance::Kind::Inferred);
  out.test.reset();
  if (!taken.is(ValueKind::Number) || !other.is(ValueKind::Number) || taken.real != other.real) return out;
  const auto& holds = truth ? taken.number : other.number;
  const auto& holds_not = truth ? other.number : taken.number;
  const auto text = "(" + holds.print() + ") if " + test.print() + " else (" + holds_not.print() + ")";
  auto both = text.size() <= longest ? Expression::parse(text) : fail("E-EXPRESSION", "too long");
  if (!both) return out;
  out.number = *std::move(both);
  out.from = std::max(taken.from, other.from);
  return out;
}

bool same(const HostValue& a, const HostValue& b, int depth) {
  if (depth > deepest_value || a.kind != b.kind) return false;
  switch (a.kind) {
    case ValueKind::Unknown:
    case ValueKind::Null: return true;
    case ValueKind::Number: return a.number == b.number && a.known == b.known;
    case ValueKind::Text: return a.text == b.text;
    case ValueKind::Pointer:
    case ValueKind::Handle: return a.at == b.at && a.text == b.text;
    case ValueKind::Function: return a.unit == b.unit && a.function == b.function;
    case ValueKind::Lambda: return a.unit == b.unit && a.function == b.function && a.closure == b.closure;
    case ValueKind::Record:
    case ValueKind::Array:
      if (a.parts == b.parts) return a.text == b.text;
      return a.text == b.text && same_maps(a.parts->fields, b.parts->fields, depth + 1) &&
             same_maps(a.parts->elements, b.parts->elements, depth + 1) &&
             same_parts(a.parts->rest, b.parts->rest, depth + 1) && same_parts(a.parts->size, b.parts->size, depth + 1);
  }
  return false;
}

HostValue join(const HostValue& a, const HostValue& b, int depth) {
  if (depth > deepest_value) return unknown("nested too deeply");
  if (same(a, b, depth)) return a;
  // What only a person's input changes keeps the value of a run without it.
  const auto open = [](const HostValue& v) {
    return v.input && (v.kind == ValueKind::Unknown || (v.kind == ValueKind::Number && !v.known) ||
                       (v.kind == ValueKind::Text && v.text.empty()));
  };
  const auto unset = [](const HostValue& v) {
    return v.kind == ValueKind::Unknown && v.text.find("given no value") != std::string::npos;
  };
  if (open(a) && a.is(ValueKind::Number) && unset(b)) return a;  // only a person gives it one
  if (open(b) && b.is(ValueKind::Number) && unset(a)) return b;
  // n = 0; then n = atoi(argv[1]) on the way that goes on: nothing is meant to have no elements.
  const auto empty = [](const HostValue& v) { return v.kind == ValueKind::Number && v.known && v.as_real() == 0.0; };
  if (open(b) && b.is(ValueKind::Number) && empty(a)) return b;
  if (open(a) && a.is(ValueKind::Number) && empty(b)) return a;
  // Two formulas over what a person gives, of which a condition chooses: n, or n rounded up. The first, if it holds.
  if (open(a) && open(b) && a.is(ValueKind::Number) && b.is(ValueKind::Number)) {
    auto out = a;
    out.from = std::max(out.from, Provenance::Kind::Inferred);
    return out;
  }
  if (open(b) && !a.is(ValueKind::Unknown)) {
    auto out = a;
    out.input = true;
    return out;
  }
  if (open(a) && !b.is(ValueKind::Unknown)) {
    auto out = b;
    out.input = true;
    return out;
  }
  const bool aggregates =
      (a.kind == ValueKind::Record || a.kind == ValueKind::Array) && a.kind == b.kind && a.text == b.text;
  if (aggregates) {
    auto parts = std::make_shared<Parts>();
    parts->fields = join_maps(a.parts->fields, b.parts->fields, depth + 1, std::nullopt, std::nullopt);
    parts->elements = join_maps(a.parts->elements, b.parts->elements, depth + 1, a.parts->rest, b.parts->rest);
    if (a.parts->rest && b.parts->rest) parts->rest = join(*a.parts->rest, *b.parts->rest, depth + 1);
    if (a.parts->size && b.parts->size) parts->size = join(*a.parts->size, *b.parts->size, depth + 1);
    HostValue out = a;
    out.parts = std::move(parts);
    return out;
  }
  if (a.is(ValueKind::Unknown) && b.is(ValueKind::Unknown)) return a;
  // A limit of the device on one way: the device is taken to be large enough for the other.
  const auto by_device = [](const HostValue& v) {
    return v.kind == ValueKind::Unknown && v.text.find("property of the device") != std::string::npos;
  };
  if ((by_device(a) && b.is(ValueKind::Number)) || (by_device(b) && a.is(ValueKind::Number))) {
    auto out = by_device(a) ? b : a;
    out.from = std::max(out.from, Provenance::Kind::Inferred);
    return out;
  }
  if (a.is(ValueKind::Unknown)) return unknown("on one way " + a.text);
  if (b.is(ValueKind::Unknown)) return unknown("on one way " + b.text);
  return unknown(fmt::format("{} or {}, which was not decided", print(a), print(b)));
}

std::string print(const HostValue& value) {
  switch (value.kind) {
    case ValueKind::Unknown: return "unknown (" + value.text + ")";
    case ValueKind::Number: return value.number.print();
    case ValueKind::Text: return "\"" + (value.text.size() > 60 ? value.text.substr(0, 57) + "..." : value.text) + "\"";
    case ValueKind::Null: return "null";
    case ValueKind::Pointer: return "a pointer";
    case ValueKind::Handle: return value.text;
    case ValueKind::Record: return "a " + value.text;
    case ValueKind::Array: return "an array";
    case ValueKind::Function:
    case ValueKind::Lambda: return "a function";
  }
  return {};
}

}  // namespace hone::host
