#pragma once
// Inside ir/ only: the state one print shares. The files print_*.cpp each hold one part: types, calls across dialects,
// expressions, statements, and the splice that keeps untouched bytes.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "ir/tree.hpp"

namespace hone::ir {

/// How tightly a construct binds, as in C; a child that binds less than its place demands is put in parentheses.
enum Precedence {
  Comma = 1,
  Assignment,
  Conditional,
  LogicalOr,
  LogicalAnd,
  BitOr,
  BitXor,
  BitAnd,
  Equality,
  Relation,
  Shift,
  Sum,
  Product,
  Prefix,
  Postfix,
  Primary
};

/// What a call, a named constant or a qualifier is called elsewhere.
struct Counterpart {
  enum class As { Same, Renamed, Cast, Refused } as = As::Same;
  std::string name;
};
Counterpart counterpart_of_call(const std::string& callee, Dialect from, Dialect to);
/// The text a header's constant has in the other dialect; the name itself when it is no header's constant.
std::optional<std::string> counterpart_of_name(const std::string& name, Dialect from, Dialect to);

class Printer {
 public:
  Printer(Dialect from, Dialect to, bool force) : from_(from), to_(to), force_(force) {}

  /// Names a foreign dialect will still know: functions and types the unit itself declares.
  void declare(std::set<std::string> names) { declared_ = std::move(names); }

  std::string unit(const NodePtr& root);
  std::string statement(const NodePtr& node, int indent);
  std::string expression(const NodePtr& node, int at_least);
  std::string any(const NodePtr& node);
  std::string declaration(const Type& type, const std::string& name);

  /// The first thing that could not be said in the dialect, if there was one.
  const std::optional<Error>& refusal() const { return refusal_; }

 private:
  // Types (print_type.cpp)
  std::string base(const Type& type);
  std::string declarator(const Type& type, std::string name);
  std::string scalar(const Type& type);
  std::string type_name(const Type& type) { return declaration(type, ""); }

  // Expressions (print_expression.cpp)
  int precedence(const Node& node) const;
  int demanded(const Node& parent, std::size_t child) const;
  std::string structural_expression(const NodePtr& node);
  std::string call(const NodePtr& node);
  std::string clamped(const NodePtr& node);
  std::string thread_index(const Node& node);
  std::string vector_literal(const NodePtr& node);
  std::string member(const NodePtr& node);
  std::string narrowed(const NodePtr& value, const Type& target, int at_least);
  void check_vector(const Node& node, const char* what);

  // Statements (print_statement.cpp)
  std::string structural_statement(const NodePtr& node, int indent);
  std::string block(const NodePtr& node, int indent);
  std::string body(const NodePtr& node, int indent);
  std::string declare_statement(const NodePtr& node);
  std::string variable(const NodePtr& node);
  std::string if_statement(const NodePtr& node, int indent);
  std::string function(const NodePtr& node);
  std::string function_head(const NodePtr& node);
  std::string statement_list(const Nodes& statements, int indent);
  bool keeps(const Node& directive) const;

  // Bytes (print_splice.cpp)
  bool owns(const Node& node) const;
  std::optional<std::string> own_bytes(const NodePtr& node, int indent);
  std::optional<std::string> splice_children(const NodePtr& node, int indent);
  std::optional<std::string> splice_list(const NodePtr& node, int indent);
  std::string child_text(const NodePtr& parent, std::size_t index, int indent);
  bool splices_alone(const NodePtr& child, const NodePtr& was);

  /// CUDA and HIP share a language; between them and OpenCL C names and rules differ.
  bool foreign() const { return (from_ == Dialect::OpenCL) != (to_ == Dialect::OpenCL); }
  std::string refuse(const std::string& what);

  Dialect from_, to_;
  bool force_;
  std::set<std::string> declared_;
  std::optional<Error> refusal_;
};

}  // namespace hone::ir
