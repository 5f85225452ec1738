#pragma once
// One small expression language, used for extents, launch sizes, constraints and resources. In: text. Out: an immutable
// value that can be printed, inspected and evaluated without side effects.
//
//   integers, reals, true/false, "strings", [lists]; names with dots and an index (`launch.global[0]`,
//   `device.local_bytes`); any other name between backquotes, so that a buffer may be called `in` or `not`
//   + - * / (real) // (floor) % (sign of the divisor) **; chained comparisons; and or not; x in [..]; a if c else b
//   min max abs ceil_div round_up (and Python's spellings of the same, so that T1 constraint strings read as they are)
//
// parse(print(e)) == e for every e.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "core/value.hpp"

namespace hone {

class Expression {
 public:
  enum class Kind { Literal, Name, Unary, Binary, Compare, And, Or, Call, List, Select };
  /// A node. `text` is the name, operator or function; a Compare has one operator between each two operands;
  /// a Select's operands are the value when true, the condition, the value when false.
  struct Node {
    Kind kind = Kind::Literal;
    Value value;
    std::string text;
    std::vector<std::string> operators;
    std::vector<std::shared_ptr<const Node>> operands;
  };
  using NodePtr = std::shared_ptr<const Node>;
  /// What a name stands for; nothing when it is not known.
  using Environment = std::function<std::optional<Value>(std::string_view name)>;

  Expression();  // the literal 0
  explicit Expression(NodePtr root) : root_(std::move(root)) {}
  static Expression literal(Value value);
  static Expression name(std::string name);
  static Expression binary(std::string op, Expression left, Expression right);
  static Expression call(std::string function, std::vector<Expression> arguments);
  /// Errors are E-EXPRESSION and show the text with the place of the fault.
  static Result<Expression> parse(std::string_view text);

  const Node& root() const { return *root_; }
  std::string print() const;
  /// Free names, each once, in the order of their first appearance.
  std::vector<std::string> names() const;
  /// Each name replaced where `with` has an expression for it.
  Expression substitute(const std::function<std::optional<Expression>(std::string_view)>& with) const;

  Result<Value> evaluate(const Environment& environment) const;
  /// evaluate, then require an integer (a real with an integral value counts).
  Result<std::int64_t> evaluate_integer(const Environment& environment) const;
  Result<double> evaluate_real(const Environment& environment) const;
  Result<bool> evaluate_condition(const Environment& environment) const;

  bool operator==(const Expression& other) const;

 private:
  NodePtr root_;
};

/// Whether a name means something else to the language when it stands without backquotes: `in`, `and`, `true`, ...
bool is_expression_word(std::string_view name);
/// A name as expressions write it: bare where that reads back, else between backquotes.
std::string print_name(const std::string& name);

/// An environment from a map-like container of name -> Value.
template <class Map>
Expression::Environment environment_of(const Map& map) {
  return [&map](std::string_view name) -> std::optional<Value> {
    const auto found = map.find(std::string(name));
    if (found == map.end()) return std::nullopt;
    return Value(found->second);
  };
}

}  // namespace hone
