// What each step means: exactly, and on ranges.

#include <algorithm>
#include <cmath>
#include <limits>

#include "search/condition.hpp"

namespace hone::search {

namespace {

using Code = Operation::Code;

constexpr double error = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

double remainder(double a, double b) {
  if (b == 0) return error;
  const double r = std::fmod(a, b);
  return (r != 0 && (r < 0) != (b < 0)) ? r + b : r;
}

double flag(bool a) { return a ? 1 : 0; }

/// Python's and/or: the first operand that decides; an error counts only when it is reached.
double chain(const Operation& step, const double* values, bool decides) {
  double value = 0;
  for (const auto i : step.operands) {
    value = values[i];
    if (std::isnan(value) || (value != 0) == decides) return value;
  }
  return value;
}

double fold(const Operation& step, const double* values) {
  double out = values[step.operands[0]];
  for (std::size_t k = 1; k < step.operands.size(); ++k) {
    const double x = values[step.operands[k]];
    if (std::isnan(x) || std::isnan(out)) return error;
    switch (step.code) {
      case Code::Sum: out += x; break;
      case Code::Product: out *= x; break;
      case Code::Minimum: out = std::min(out, x); break;
      default: out = std::max(out, x); break;
    }
  }
  return out;
}

double member(const Operation& step, const double* values) {
  const double sought = values[step.operands[0]];
  bool found = false;
  for (std::size_t k = 1; k < step.operands.size(); ++k) {
    const double item = values[step.operands[k]];
    if (std::isnan(item)) return error;
    found = found || item == sought;
  }
  return std::isnan(sought) ? error : flag(found);
}

double on_one(Code code, double x) {
  if (std::isnan(x)) return error;
  switch (code) {
    case Code::Negative: return -x;
    case Code::Not: return flag(x == 0);
    case Code::Absolute: return std::abs(x);
    case Code::Floor: return std::floor(x);
    case Code::Ceiling: return std::ceil(x);
    case Code::Round: return std::nearbyint(x);
    case Code::Truncate: return std::trunc(x);
    case Code::Root: return x < 0 ? error : std::sqrt(x);
    default: return x <= 0 ? error : std::log2(x);
  }
}

double on_two(Code code, double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return error;
  switch (code) {
    case Code::Divide: return b == 0 ? error : a / b;
    case Code::FloorDivide: return b == 0 ? error : std::floor(a / b);
    case Code::CeilDivide: return b == 0 ? error : std::ceil(a / b);
    case Code::Remainder: return remainder(a, b);
    case Code::Power: return a == 0 && b < 0 ? error : std::pow(a, b);
    case Code::Less: return flag(a < b);
    case Code::LessEqual: return flag(a <= b);
    case Code::Equal: return flag(a == b);
    default: return flag(a != b);
  }
}

Interval unknown() { return {-infinity, infinity, false}; }
Interval open_truth(bool clean) { return {0, 1, clean}; }
bool certain(const Interval& x) { return x.clean && x.low == x.high; }
bool surely_true(const Interval& x) { return x.clean && (x.low > 0 || x.high < 0); }
bool surely_false(const Interval& x) { return x.clean && x.low == 0 && x.high == 0; }

Interval corners(const Interval& a, const Interval& b, double (*f)(double, double)) {
  const double all[] = {f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)};
  if (std::any_of(std::begin(all), std::end(all), [](double x) { return std::isnan(x); })) return unknown();
  const auto [low, high] = std::minmax_element(std::begin(all), std::end(all));
  return {*low, *high, a.clean && b.clean};
}

Interval divided(Code code, const Interval& a, const Interval& b) {
  if (b.low <= 0 && b.high >= 0) return unknown();
  auto out = corners(a, b, [](double x, double y) { return x / y; });
  if (code == Code::FloorDivide) return {std::floor(out.low), std::floor(out.high), out.clean};
  if (code == Code::CeilDivide) return {std::ceil(out.low), std::ceil(out.high), out.clean};
  return out;
}

Interval remaindered(const Interval& a, const Interval& b) {
  if (b.low <= 0) return b.high < 0 ? Interval{b.low, 0, a.clean && b.clean} : unknown();
  if (a.low >= 0 && a.high < b.low) return {a.low, a.high, a.clean && b.clean};
  return {0, b.high, a.clean && b.clean};
}

Interval ordered(const Interval& a, const Interval& b, bool strict) {
  const bool clean = a.clean && b.clean;
  if (strict ? a.high < b.low : a.high <= b.low) return {1, 1, clean};
  if (strict ? a.low >= b.high : a.low > b.high) return {0, 0, clean};
  return open_truth(clean);
}

Interval equalled(const Interval& a, const Interval& b, bool negated) {
  const bool clean = a.clean && b.clean;
  if (a.high < b.low || b.high < a.low) return {flag(negated), flag(negated), clean};
  if (certain(a) && certain(b)) return {flag(!negated), flag(!negated), true};
  return open_truth(clean);
}

Interval range_chain(const Operation& step, const Interval* ranges, bool is_or) {
  bool all_clean = true, all_neutral = true;
  for (const auto i : step.operands) {
    const auto& x = ranges[i];
    const bool decides = is_or ? surely_true(x) : surely_false(x);
    // A certain decision holds only when nothing before it can be an error.
    if (decides && all_clean) return {flag(is_or), flag(is_or), true};
    if (decides) return open_truth(false);
    all_clean = all_clean && x.clean;
    all_neutral = all_neutral && (is_or ? surely_false(x) : surely_true(x));
  }
  if (all_neutral) return {flag(!is_or), flag(!is_or), true};
  return open_truth(all_clean);
}

Interval range_fold(const Operation& step, const Interval* ranges) {
  Interval out = ranges[step.operands[0]];
  for (std::size_t k = 1; k < step.operands.size(); ++k) {
    const auto& x = ranges[step.operands[k]];
    const bool clean = out.clean && x.clean;
    switch (step.code) {
      case Code::Sum: out = {out.low + x.low, out.high + x.high, clean}; break;
      case Code::Product: out = corners(out, x, [](double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }); break;
      case Code::Minimum: out = {std::min(out.low, x.low), std::min(out.high, x.high), clean}; break;
      default: out = {std::max(out.low, x.low), std::max(out.high, x.high), clean}; break;
    }
  }
  return out;
}

Interval range_on_one(const Operation& step, const Interval& x) {
  switch (step.code) {
    case Code::Negative: return {-x.high, -x.low, x.clean};
    case Code::Not:
      if (surely_true(x)) return {0, 0, true};
      return surely_false(x) ? Interval{1, 1, true} : open_truth(x.clean);
    case Code::Absolute:
      if (x.low >= 0) return x;
      return {x.high <= 0 ? -x.high : 0, std::max(-x.low, x.high), x.clean};
    case Code::Root:
    case Code::Logarithm:
      if (x.low <= 0) return unknown();
      [[fallthrough]];
    default: return {on_one(step.code, x.low), on_one(step.code, x.high), x.clean};  // rising functions
  }
}

Interval range_power(const Interval& a, const Interval& b) {
  if (a.low < 1 || b.low < 0) return unknown();
  return {std::pow(a.low, b.low), std::pow(a.high, b.high), a.clean && b.clean};
}

}  // namespace

double exact_value(const Operation& step, const double* values) {
  switch (step.code) {
    case Code::Constant: return step.constant;
    case Code::Variable: return error;  // set by the caller
    case Code::Sum:
    case Code::Product:
    case Code::Minimum:
    case Code::Maximum: return fold(step, values);
    case Code::And: return chain(step, values, false);
    case Code::Or: return chain(step, values, true);
    case Code::Member: return member(step, values);
    case Code::Select: {
      const double condition = values[step.operands[1]];
      if (std::isnan(condition)) return error;
      return values[step.operands[condition != 0 ? 0 : 2]];
    }
    default: break;
  }
  if (step.operands.size() == 1) return on_one(step.code, values[step.operands[0]]);
  return on_two(step.code, values[step.operands[0]], values[step.operands[1]]);
}

Interval range_of(const Operation& step, const Interval* ranges) {
  const auto operand = [&](std::size_t k) -> const Interval& { return ranges[step.operands[k]]; };
  switch (step.code) {
    case Code::Constant: return {step.constant, step.constant, true};
    case Code::Variable: return unknown();  // set by the caller
    case Code::Sum:
    case Code::Product:
    case Code::Minimum:
    case Code::Maximum: return range_fold(step, ranges);
    case Code::And: return range_chain(step, ranges, false);
    case Code::Or: return range_chain(step, ranges, true);
    case Code::Member: {
      bool clean = true;
      for (const auto i : step.operands) clean = clean && ranges[i].clean;
      return open_truth(clean);
    }
    case Code::Select: {
      const auto &yes = operand(0), &no = operand(2);
      return {std::min(yes.low, no.low), std::max(yes.high, no.high), yes.clean && no.clean && operand(1).clean};
    }
    case Code::Divide:
    case Code::FloorDivide:
    case Code::CeilDivide: return divided(step.code, operand(0), operand(1));
    case Code::Remainder: return remaindered(operand(0), operand(1));
    case Code::Power: return range_power(operand(0), operand(1));
    case Code::Less: return ordered(operand(0), operand(1), true);
    case Code::LessEqual: return ordered(operand(0), operand(1), false);
    case Code::Equal: return equalled(operand(0), operand(1), false);
    case Code::NotEqual: return equalled(operand(0), operand(1), true);
    default: return range_on_one(step, operand(0));
  }
}

}  // namespace hone::search
