// The functions every OpenCL device has, as far as kernels use them. native_ and half_ are as exact as the others here.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "interpreter/memory.hpp"

namespace hone::interpreter {
namespace {

using Real = double (*)(double, double, double);

/// Without the prefix that asks for less accuracy, and without CUDA's suffix for single precision.
std::string plain_name(const std::string& name) {
  for (const std::string prefix : {"native_", "half_"})
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  return name;
}

const std::map<std::string, Real>& reals() {
  static const std::map<std::string, Real> table = {
      {"sqrt", [](double a, double, double) { return std::sqrt(a); }},
      {"rsqrt", [](double a, double, double) { return 1 / std::sqrt(a); }},
      {"cbrt", [](double a, double, double) { return std::cbrt(a); }},
      {"fabs", [](double a, double, double) { return std::fabs(a); }},
      {"floor", [](double a, double, double) { return std::floor(a); }},
      {"ceil", [](double a, double, double) { return std::ceil(a); }},
      {"trunc", [](double a, double, double) { return std::trunc(a); }},
      {"round", [](double a, double, double) { return std::round(a); }},
      {"rint", [](double a, double, double) { return std::nearbyint(a); }},
      {"exp", [](double a, double, double) { return std::exp(a); }},
      {"exp2", [](double a, double, double) { return std::exp2(a); }},
      {"exp10", [](double a, double, double) { return std::pow(10.0, a); }},
      {"expm1", [](double a, double, double) { return std::expm1(a); }},
      {"log", [](double a, double, double) { return std::log(a); }},
      {"log2", [](double a, double, double) { return std::log2(a); }},
      {"log10", [](double a, double, double) { return std::log10(a); }},
      {"log1p", [](double a, double, double) { return std::log1p(a); }},
      {"sin", [](double a, double, double) { return std::sin(a); }},
      {"cos", [](double a, double, double) { return std::cos(a); }},
      {"tan", [](double a, double, double) { return std::tan(a); }},
      {"asin", [](double a, double, double) { return std::asin(a); }},
      {"acos", [](double a, double, double) { return std::acos(a); }},
      {"atan", [](double a, double, double) { return std::atan(a); }},
      {"atan2", [](double a, double b, double) { return std::atan2(a, b); }},
      {"sinh", [](double a, double, double) { return std::sinh(a); }},
      {"cosh", [](double a, double, double) { return std::cosh(a); }},
      {"tanh", [](double a, double, double) { return std::tanh(a); }},
      {"erf", [](double a, double, double) { return std::erf(a); }},
      {"erfc", [](double a, double, double) { return std::erfc(a); }},
      {"hypot", [](double a, double b, double) { return std::hypot(a, b); }},
      {"fmod", [](double a, double b, double) { return std::fmod(a, b); }},
      {"fdim", [](double a, double b, double) { return std::fdim(a, b); }},
      {"copysign", [](double a, double b, double) { return std::copysign(a, b); }},
      {"fmin", [](double a, double b, double) { return std::fmin(a, b); }},
      {"fmax", [](double a, double b, double) { return std::fmax(a, b); }},
      {"pow", [](double a, double b, double) { return std::pow(a, b); }},
      {"powr", [](double a, double b, double) { return std::pow(a, b); }},
      {"divide", [](double a, double b, double) { return a / b; }},
      {"recip", [](double a, double, double) { return 1 / a; }},
      {"mad", [](double a, double b, double c) { return a * b + c; }},
      {"fma", [](double a, double b, double c) { return std::fma(a, b, c); }},
      {"mix", [](double a, double b, double c) { return a + (b - a) * c; }},
      {"step", [](double a, double b, double) { return b < a ? 0.0 : 1.0; }},
      {"sign", [](double a, double, double) { return a > 0   ? 1.0
                                                     : a < 0 ? -1.0
                                                             : a; }},
      {"degrees", [](double a, double, double) { return a * 57.29577951308232; }},
      {"radians", [](double a, double, double) { return a * 0.017453292519943295; }},
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
  if (const auto found = reals().find(plain_name(name)); found != reals().end() && type.is_floating()) {
    Value out = at(0);
    const Value b = at(1);
    const Value c = at(2);
    for (int l = 0; l < type.lanes; ++l)
      out.reals[static_cast<std::size_t>(l)] =
          found->second(at(0).real(l), b.type.lanes > 0 ? b.reals[static_cast<std::size_t>(l)] : 0,
                        c.reals[static_cast<std::size_t>(l)]);
    return converted(out, type);
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
  if (name == "rotate") {
    Value out = at(0);
    const auto width = static_cast<std::uint64_t>(8 * ir::size_of(ir::lane_of(type)));
    const std::uint64_t all = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    for (int l = 0; l < type.lanes; ++l) {
      const auto bits = static_cast<std::uint64_t>(out.integer(l)) & all;
      const auto by = static_cast<std::uint64_t>(at(1).integer(l)) % width;
      const auto turned = by == 0 ? bits : ((bits << by) | (bits >> (width - by))) & all;
      out.integers[static_cast<std::size_t>(l)] = static_cast<std::int64_t>(turned);
    }
    return converted(out, type);
  }
  if (name == "mul24") return binary("*", at(0), at(1));
  if (name == "mad24") return binary("+", binary("*", at(0), at(1)), at(2));
  if (name == "isnan" || name == "isinf") {
    const double x = arguments.at(0).real(0);
    if (arguments[0].type.lanes > 1) unsupported("the function " + name + " of a vector");
    return int_value((name == "isnan" ? std::isnan(x) : std::isinf(x)) ? 1 : 0, ir::int_type());
  }
  if (name == "abs") return int_value(std::abs(arguments[0].integer(0)), type);
  if (name == "dot") {
    // Rounded after each step, as the sum of products that it is.
    const auto lane = [&](std::size_t argument, int l) { return real_value(arguments[argument].real(l), type); };
    Value sum = binary("*", lane(0, 0), lane(1, 0));
    for (int l = 1; l < arguments[0].type.lanes; ++l) sum = binary("+", sum, binary("*", lane(0, l), lane(1, l)));
    return sum;
  }
  if (name == "as_int" || name == "as_uint" || name == "as_float") {
    Place bits = {allocate("bits", 16), 0, arguments[0].type, {}};
    store(bits, arguments[0]);
    bits.type = type;
    return load(bits);
  }
  unsupported("the function " + name);
}

}  // namespace hone::interpreter
