#include "core/arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hone {

namespace {

using Integer = std::int64_t;

std::optional<Integer> exact_integer(const Value& value) {
  if (const auto* integer = std::get_if<Integer>(&value)) return *integer;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
  return std::nullopt;
}

tl::unexpected<Error> overflow(std::string_view op) {
  return fail("E-EXPRESSION", "integer overflow in " + std::string(op));
}

Integer floor_divide(Integer a, Integer b) {
  const Integer quotient = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
}

Integer floor_remainder(Integer a, Integer b) {
  const Integer remainder = a % b;
  return (remainder != 0 && (remainder < 0) != (b < 0)) ? remainder + b : remainder;
}

double floor_remainder(double a, double b) {
  const double remainder = std::fmod(a, b);
  return (remainder != 0 && (remainder < 0) != (b < 0)) ? remainder + b : remainder;
}

std::optional<Integer> integer_power(Integer base, Integer exponent) {
  Integer result = 1;
  while (exponent > 0) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result)) return std::nullopt;
    exponent >>= 1;
    if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) return std::nullopt;
  }
  return result;
}

Result<Value> on_integers(std::string_view op, Integer a, Integer b) {
  Integer out = 0;
  if (op == "+") return __builtin_add_overflow(a, b, &out) ? Result<Value>(overflow(op)) : Value(out);
  if (op == "-") return __builtin_sub_overflow(a, b, &out) ? Result<Value>(overflow(op)) : Value(out);
  if (op == "*") return __builtin_mul_overflow(a, b, &out) ? Result<Value>(overflow(op)) : Value(out);
  if (op == "**") {
    if (b < 0) return a == 0 ? Result<Value>(fail("E-EXPRESSION", "0 to a negative power")) : Value(std::pow(a, b));
    const auto power = integer_power(a, b);
    return power ? Result<Value>(Value(*power)) : overflow(op);
  }
  if (b == 0) return fail("E-EXPRESSION", "division by zero in " + std::string(op));
  if (op == "/") return Value(static_cast<double>(a) / static_cast<double>(b));
  if (b == -1) return op == "%" ? Result<Value>(Value(Integer{0})) : negate(Value(a));
  return op == "//" ? Value(floor_divide(a, b)) : Value(floor_remainder(a, b));
}

Result<Value> on_reals(std::string_view op, double a, double b) {
  if (op == "+") return Value(a + b);
  if (op == "-") return Value(a - b);
  if (op == "*") return Value(a * b);
  if (op == "**") return Value(std::pow(a, b));
  if (b == 0) return fail("E-EXPRESSION", "division by zero in " + std::string(op));
  if (op == "/") return Value(a / b);
  return op == "//" ? Value(std::floor(a / b)) : Value(floor_remainder(a, b));
}

bool holds(std::string_view op, int order) {
  if (op == "<") return order < 0;
  if (op == "<=") return order <= 0;
  if (op == ">") return order > 0;
  if (op == ">=") return order >= 0;
  return (op == "==") == (order == 0);
}

template <class T>
int order_of(const T& a, const T& b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

Result<Value> extreme(std::string_view function, const std::vector<Value>& arguments) {
  Value best = arguments.front();
  for (const auto& argument : arguments) {
    const auto better = compare(function == "min" ? "<" : ">", argument, best);
    if (!better) return fail(better.error());
    if (*better) best = argument;
  }
  return best;
}

Result<Value> to_integer(double real, std::string_view function) {
  if (!(std::abs(real) < 9.2e18)) return overflow(function);
  return Value(static_cast<Integer>(real));
}

Result<Value> ceil_div(const Value& a, const Value& b) {
  const auto lowered = apply_operator("//", a, b).and_then([&](const Value& quotient) {
    return apply_operator("*", quotient, b).and_then([&](const Value& back) -> Result<Value> {
      const auto exact = compare("==", back, a);
      if (!exact) return fail(exact.error());
      return *exact ? quotient : apply_operator("+", quotient, Value(Integer{1}));
    });
  });
  return lowered;
}

Result<Value> on_one_real(std::string_view function, double x) {
  if (function == "float") return Value(x);
  if (function == "int") return to_integer(std::trunc(x), function);
  if (function == "round") return to_integer(std::nearbyint(x), function);
  if (function == "ceil" || function == "math.ceil") return to_integer(std::ceil(x), function);
  if (function == "floor" || function == "math.floor") return to_integer(std::floor(x), function);
  if (function == "sqrt" || function == "math.sqrt") {
    return x < 0 ? Result<Value>(fail("E-EXPRESSION", "square root of a negative number")) : Value(std::sqrt(x));
  }
  return x <= 0 ? Result<Value>(fail("E-EXPRESSION", "logarithm of a number that is not positive"))
                : Value(std::log2(x));
}

Result<Value> on_one(std::string_view function, const Value& argument) {
  const auto integer = exact_integer(argument);
  const bool keeps_integers = function == "int" || function == "round" || function.ends_with("ceil") ||
                              function.ends_with("floor") || function == "abs";
  if (integer && keeps_integers) return function == "abs" && *integer < 0 ? negate(argument) : Value(*integer);
  const auto real = as_real(argument);
  if (!real) return fail("E-EXPRESSION", std::string(function) + " of a string");
  return function == "abs" ? Value(std::abs(*real)) : on_one_real(function, *real);
}

}  // namespace

bool truth(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return !text->empty();
  return *as_real(value) != 0;
}

std::optional<double> as_real(const Value& value) {
  if (const auto* real = std::get_if<double>(&value)) return *real;
  const auto integer = exact_integer(value);
  if (!integer) return std::nullopt;
  return static_cast<double>(*integer);
}

std::optional<std::int64_t> as_integer(const Value& value) {
  const auto* real = std::get_if<double>(&value);
  if (real == nullptr) return exact_integer(value);
  if (std::trunc(*real) != *real || !(std::abs(*real) < 9.2e18)) return std::nullopt;
  return static_cast<Integer>(*real);
}

Result<Value> apply_operator(std::string_view op, const Value& left, const Value& right) {
  const auto a = exact_integer(left), b = exact_integer(right);
  if (a && b) return on_integers(op, *a, *b);
  const auto x = as_real(left), y = as_real(right);
  if (!x || !y) return fail("E-EXPRESSION", "operator " + std::string(op) + " on a string");
  return on_reals(op, *x, *y);
}

Result<Value> negate(const Value& value) {
  if (const auto integer = exact_integer(value)) return on_integers("-", 0, *integer);
  if (const auto real = as_real(value)) return Value(-*real);
  return fail("E-EXPRESSION", "minus of a string");
}

Result<bool> compare(std::string_view op, const Value& left, const Value& right) {
  const auto a = exact_integer(left), b = exact_integer(right);
  if (a && b) return holds(op, order_of(*a, *b));
  const auto x = as_real(left), y = as_real(right);
  if (x && y) {
    if (std::isnan(*x) || std::isnan(*y)) return op == "!=";
    return holds(op, order_of(*x, *y));
  }
  if (!x && !y) return holds(op, order_of(std::get<std::string>(left), std::get<std::string>(right)));
  if (op == "==" || op == "!=") return op == "!=";
  return fail("E-EXPRESSION", "a string and a number have no order");
}

Result<Value> apply_function(std::string_view function, const std::vector<Value>& arguments) {
  const bool variadic = function == "min" || function == "max" || function == "sum";
  const std::size_t wanted = function == "ceil_div" || function == "round_up" || function == "pow" ? 2 : 1;
  if (variadic ? arguments.empty() : arguments.size() != wanted) {
    return fail("E-EXPRESSION", std::string(function) + " takes " +
                                    (variadic ? "at least one argument" : std::to_string(wanted) + " argument(s)") +
                                    ", not " + std::to_string(arguments.size()));
  }
  if (function == "min" || function == "max") return extreme(function, arguments);
  if (function == "pow") return apply_operator("**", arguments[0], arguments[1]);
  if (function == "ceil_div") return ceil_div(arguments[0], arguments[1]);
  if (function == "round_up") {
    return ceil_div(arguments[0], arguments[1]).and_then([&](const Value& whole) {
      return apply_operator("*", whole, arguments[1]);
    });
  }
  if (function == "sum") {
    Result<Value> total = Value(Integer{0});
    for (const auto& argument : arguments) {
      if (total) total = apply_operator("+", *total, argument);
    }
    return total;
  }
  return on_one(function, arguments[0]);
}

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> names = {
      "min",   "max",  "abs",   "ceil_div",  "round_up",   "pow",  "sum",       "int",  "float",
      "round", "ceil", "floor", "math.ceil", "math.floor", "sqrt", "math.sqrt", "log2", "math.log2"};
  return names;
}

bool is_function(std::string_view name) {
  const auto& names = function_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace hone
