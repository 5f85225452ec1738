#pragma once
// A constraint compiled for speed: the expression as a flat list of steps over doubles, where NaN stands for an error
// (division by zero), which makes a configuration invalid. Besides the exact value it answers what is already known
// when only some parameters are set: certainly true, certainly false, or open.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/space.hpp"

namespace hone::search {

/// The values of each parameter as numbers; a string is its rank among all strings of the space.
struct NumberTables {
  std::vector<std::vector<double>> values;
  std::vector<bool> integral, textual, mixed;
  std::vector<std::string> strings;  // sorted
  static NumberTables of(const Space& space);
};

struct Interval {
  double low = 0, high = 0;
  bool clean = true;  // false when the value may be an error
};

struct Operation {
  enum class Code {
    Constant,
    Variable,
    Sum,
    Product,
    Negative,
    Divide,
    FloorDivide,
    Remainder,
    Power,
    Less,
    LessEqual,
    Equal,
    NotEqual,
    Not,
    And,
    Or,
    Member,
    Minimum,
    Maximum,
    Absolute,
    Select,
    Floor,
    Ceiling,
    Round,
    Truncate,
    Root,
    Logarithm,
    CeilDivide
  };
  Code code = Code::Constant;
  double constant = 0;
  std::size_t variable = 0;
  std::vector<std::size_t> operands;
  bool integral = false;
  bool textual = false;
};

/// Steps in the order of evaluation; the last is the answer.
struct Condition {
  std::vector<Operation> steps;
  std::vector<std::size_t> variables;  // parameters it depends on, ascending
};

/// Nothing when the constraint uses what doubles cannot carry exactly (strings in arithmetic, integers above 2^53);
/// such a constraint is evaluated by the expression itself.
std::optional<Condition> compile(const Expression& condition, const Space& space, const NumberTables& tables);

/// The value of one step from the values of those before it.
double exact_value(const Operation& step, const double* values);
/// The range of one step from the ranges of those before it.
Interval range_of(const Operation& step, const Interval* ranges);

}  // namespace hone::search
