// The functions every OpenCL device has, as far as generated kernels use them.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "support/interpreter_value.hpp"

namespace hone::testing {
namespace {

using Real = double (*)(double, double, double);

const std::map<std::string, Real>& reals() {
  static const std::map<std::string, Real> table = {
      {"sqrt", [](double a, double, double) { return std::sqrt(a); }},
      {"fabs", [](double a, double, double) { return std::fabs(a); }},
      {"floor", [](double a, double, double) { return std::floor(a); }},
      {"ceil", [](double a, double, double) { return std::ceil(a); }},
      {"exp", [](double a, double, double) { return std::exp(a); }},
      {"log", [](double a, double, double) { return std::log(a); }},
      {"sin", [](double a, double, double) { return std::sin(a); }},
      {"cos", [](double a, double, double) { return std::cos(a); }},
      {"fmin", [](double a, double b, double) { return std::fmin(a, b); }},
      {"fmax", [](double a, double b, double) { return std::fmax(a, b); }},
      {"pow", [](double a, double b, double) { return std::pow(a, b); }},
      {"mad", [](double a, double b, double c) { return a * b + c; }},
      {"fma", [](double a, double b, double c) { return a * b + c; }},
  };
  return table;
}

Value smaller(const Value& a, const Value& b, bool want_less) {
  Value out = a;
  for (int l = 0; l < a.type.lanes; ++l) {
    const bool less = a.type.is_floating() ? a.real(l) < b.real(l)
                      : a.type.is_signed()
                          ? a.integer(l) < b.integer(l)
                          : static_cast<std::uint64_t>(a.integer(l)) < static_cast<std::uint64_t>(b.integer(l));
    if (less == want_less) continue;
    out.reals[static_cast<std::size_t>(l)] = a.type.is_floating() ? b.real(l) : 0;
    out.integers[static_cast<std::size_t>(l)] = b.integer(l);
  }
  return out;
}

/// vloadN and vstoreN: N elements from where the pointer stands, plus so many times N.
Place lanes_at(const Value& pointer, const Value& offset, int lanes) {
  const ir::Type type = ir::scalar_type(pointer.type.pointee->scalar, lanes);
  return {pointer.memory, pointer.offset + offset.integer(0) * ir::size_of(type), type, {}};
}

Value chosen(const Value& otherwise, const Value& where, const Value& mask) {
  Value out = otherwise;
  for (int l = 0; l < otherwise.type.lanes; ++l) {
    const auto at = static_cast<std::size_t>(l);
    // A vector chooses by the sign of its lanes, a scalar by whether it is zero.
    if (mask.type.lanes > 1 ? mask.integer(l) >= 0 : mask.integer(0) == 0) continue;
    out.integers[at] = where.integers[at];
    out.reals[at] = where.reals[at];
  }
  return out;
}

bool lane_set(const Value& mask, int lane) { return mask.integer(lane) < 0; }

}  // namespace

Value builtin(const std::string& name, const std::vector<Value>& arguments, const ir::Type& type) {
  const auto at = [&](std::size_t i) { return i < arguments.size() ? converted(arguments[i], type) : Value{}; };
  if (const auto found = reals().find(name); found != reals().end()) {
    Value out = at(0);
    const Value b = at(1);
    const Value c = at(2);
    for (int l = 0; l < type.lanes; ++l)
      out.reals[static_cast<std::size_t>(l)] =
          found->second(at(0).real(l), b.type.lanes > 0 ? b.reals[static_cast<std::size_t>(l)] : 0,
                        c.reals[static_cast<std::size_t>(l)]);
    return converted(out, type);
  }
  if (name.starts_with("vload")) return load(lanes_at(arguments[1], arguments[0], type.lanes));
  if (name.starts_with("vstore")) {
    store(lanes_at(arguments[2], arguments[1], arguments[0].type.lanes), arguments[0]);
    return {};
  }
  if (name == "select") return chosen(at(0), at(1), arguments[2]);
  if (name == "all" || name == "any") {
    bool all = true, any = false;
    for (int l = 0; l < arguments[0].type.lanes; ++l) {
      all = all && lane_set(arguments[0], l);
      any = any || lane_set(arguments[0], l);
    }
    return int_value((name == "all" ? all : any) ? 1 : 0, ir::int_type());
  }
  if (name == "min" || name == "max") return smaller(at(0), at(1), name == "min");
  if (name == "clamp") return smaller(smaller(at(0), at(1), false), at(2), true);
  if (name.starts_with("convert_")) return at(0);
  if (name == "abs") return int_value(std::abs(arguments[0].integer(0)), type);
  if (name == "dot") {
    double sum = 0;
    for (int l = 0; l < arguments[0].type.lanes; ++l) sum += arguments[0].real(l) * arguments[1].real(l);
    return real_value(sum, type);
  }
  if (name == "as_int" || name == "as_uint" || name == "as_float") {
    Place bits = {allocate("bits", 16), 0, arguments[0].type, {}};
    store(bits, arguments[0]);
    bits.type = type;
    return load(bits);
  }
  throw Refused("the function " + name);
}

}  // namespace hone::testing
