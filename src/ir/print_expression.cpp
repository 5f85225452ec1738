// Expressions from their structure.
#include <array>
#include <cctype>

#include "base/text.hpp"
#include "ir/build.hpp"
#include "ir/printer.hpp"

namespace hone::ir {
namespace {

int binary_precedence(const std::string& op) {
  if (op == ",") return Comma;
  if (op == "||") return LogicalOr;
  if (op == "&&") return LogicalAnd;
  if (op == "|") return BitOr;
  if (op == "^") return BitXor;
  if (op == "&") return BitAnd;
  if (op == "==" || op == "!=") return Equality;
  if (op == "<" || op == ">" || op == "<=" || op == ">=") return Relation;
  if (op == "<<" || op == ">>") return Shift;
  if (op == "+" || op == "-") return Sum;
  return Product;
}

/// "(a) + (b)" is not one parenthesis; "((a) + (b))" is.
bool parenthesised(std::string_view text) {
  if (!text.starts_with('(') || !text.ends_with(')')) return false;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i + 1 == text.size();
  }
  return false;
}

}  // namespace

int Printer::precedence(const Node& node) const {
  switch (node.kind) {
    case Kind::Binary: return binary_precedence(node.text);
    case Kind::Assign: return Assignment;
    case Kind::Select: return Conditional;
    case Kind::Cast:
    case Kind::SizeOf: return Prefix;
    case Kind::VectorLiteral: return to_ == Dialect::OpenCL ? Prefix : Postfix;
    case Kind::Unary: return node.text.starts_with("post") ? Postfix : Prefix;
    case Kind::Index:
    case Kind::Member:
    case Kind::Call: return Postfix;
    case Kind::Verbatim: return Comma;
    case Kind::ThreadIndex:
      if ((node.type.scalar == Scalar::ULong) != (to_ == Dialect::OpenCL)) return Prefix;  // printed with a cast
      if (to_ == Dialect::OpenCL) return Postfix;
      return node.text == "global_id" ? Sum : node.text == "global_size" ? Product : Postfix;
    default: return Primary;
  }
}

/// How tightly the child at this place has to bind.
int Printer::demanded(const Node& parent, std::size_t child) const {
  switch (parent.kind) {
    case Kind::Binary: return binary_precedence(parent.text) + (child == 0 ? 0 : 1);
    case Kind::Assign: return child == 0 ? Prefix : Assignment;
    case Kind::Select: return child == 0 ? LogicalOr : child == 1 ? Comma : Conditional;
    case Kind::Unary: return parent.text.starts_with("post") ? Postfix : Prefix;
    case Kind::Cast:
    case Kind::SizeOf: return Prefix;
    case Kind::Member: return Postfix;
    case Kind::Index: return child == 0 ? Postfix : Comma;
    case Kind::Call:
    case Kind::VectorLiteral:
    case Kind::InitList:
    case Kind::Variable: return Assignment;
    case Kind::Case: return Conditional;
    default: return Comma;
  }
}

std::string Printer::refuse(const std::string& what) {
  if (!refusal_) refusal_ = Error("E-DIALECT", what + " has no counterpart in " + dialect_name(to_));
  return {};
}

void Printer::check_vector(const Node& node, const char* what) {
  if (foreign() && to_ != Dialect::OpenCL && node.type.is_vector())
    refuse(std::string(what) + " on " + scalar_name(node.type.scalar) + std::to_string(node.type.lanes));
}

std::string Printer::expression(const NodePtr& node, int at_least) {
  auto text = own_bytes(node, 0);
  if (!text) text = structural_expression(node);
  const bool loose = precedence(*node) < at_least;
  return loose && !parenthesised(*text) ? "(" + *text + ")" : *text;
}

/// A thread index keeps its type across dialects by a cast, unless it goes into a 32-bit integer anyway.
std::string Printer::narrowed(const NodePtr& value, const Type& target, int at_least) {
  const bool narrow = target.is_integer() && size_of(target) <= 4;
  if (!narrow || value->kind != Kind::ThreadIndex || own_bytes(value, 0)) return expression(value, at_least);
  Node plain = *value;
  plain.type = to_ == Dialect::OpenCL ? size_type() : uint_type();
  const auto text = thread_index(plain);
  const bool product = to_ != Dialect::OpenCL && (plain.text == "global_id" || plain.text == "global_size");
  return product && at_least > Sum ? "(" + text + ")" : text;
}

std::string Printer::thread_index(const Node& node) {
  if (to_ == Dialect::OpenCL) {
    const auto text = "get_" + node.text + "(" + std::to_string(node.dimension) + ")";
    return node.type.scalar == Scalar::ULong ? text : "(" + type_name(node.type) + ")" + text;
  }
  if (node.dimension > 2) return refuse("dimension " + std::to_string(node.dimension) + " of a launch");
  const std::string d = std::array{".x", ".y", ".z"}[static_cast<std::size_t>(node.dimension)];
  std::string text;
  if (node.text == "global_id")
    text = "blockIdx" + d + " * blockDim" + d + " + threadIdx" + d;
  else if (node.text == "global_size")
    text = "gridDim" + d + " * blockDim" + d;
  else if (node.text == "local_id")
    text = "threadIdx" + d;
  else if (node.text == "group_id")
    text = "blockIdx" + d;
  else if (node.text == "local_size")
    text = "blockDim" + d;
  else if (node.text == "num_groups")
    text = "gridDim" + d;
  else
    return refuse("get_" + node.text);
  return node.type.scalar == Scalar::ULong ? "(size_t)(" + text + ")" : text;
}

std::string Printer::call(const NodePtr& node) {
  std::string name = node->text;
  if (foreign() && !declared_.contains(name)) {
    if (name == "clamp" && to_ != Dialect::OpenCL) return clamped(node);
    const auto other = counterpart_of_call(name, from_, to_);
    check_vector(*node, name.c_str());
    const bool atomic = name.starts_with("atomic") && name != "atomicExch";
    if (atomic && to_ == Dialect::OpenCL && node->type.is_floating()) return refuse(name + " on reals");
    if (other.as == Counterpart::As::Refused) return refuse(name);
    if (other.as == Counterpart::As::Cast)
      return "(" + type_name(node->type) + ")(" + expression(node->children.at(0), Comma) + ")";
    if (other.as == Counterpart::As::Renamed) name = other.name;
  }
  std::string out = name + "(";
  for (std::size_t i = 0; i < node->children.size(); ++i)
    out += (i > 0 ? ", " : "") + expression(node->children[i], Assignment);
  return out + ")";
}

/// CUDA has no clamp, only what it is made of.
std::string Printer::clamped(const NodePtr& node) {
  check_vector(*node, "clamp");
  const std::string f = node->type.is_floating() ? "f" : "";
  const auto part = [&](std::size_t i) { return expression(node->children.at(i), Assignment); };
  return f + "min(" + f + "max(" + part(0) + ", " + part(1) + "), " + part(2) + ")";
}

std::string Printer::vector_literal(const NodePtr& node) {
  std::vector<std::string> parts;
  for (const auto& part : node->children) parts.push_back(expression(part, Assignment));
  if (to_ == Dialect::OpenCL) return "(" + type_name(node->type) + ")(" + join(parts, ", ") + ")";
  const auto lanes = static_cast<std::size_t>(node->type.lanes);
  const auto& first = *node->children.front();
  const bool repeatable = first.kind == Kind::Name || first.kind == Kind::Literal;
  if (parts.size() == 1 && lanes > 1 && repeatable) parts.assign(lanes, parts[0]);
  if (parts.size() != lanes) return refuse("a vector literal made of vectors");
  return "make_" + type_name(node->type) + "(" + join(parts, ", ") + ")";
}

std::string Printer::member(const NodePtr& node) {
  const auto& from = node->children[0];
  std::string field = node->text;
  if (foreign() && to_ != Dialect::OpenCL && from->type.is_vector()) {
    static constexpr std::string_view lanes = "xyzw";
    if (field.size() == 2 && field[0] == 's' && field[1] >= '0' && field[1] <= '3')
      field = lanes[static_cast<std::size_t>(field[1] - '0')];
    if (field.size() != 1) return refuse("the swizzle ." + field);
  }
  if (is(from, Kind::Unary, "*") && !own_bytes(from, 0)) return expression(from->children[0], Postfix) + "->" + field;
  return expression(from, Postfix) + "." + field;
}

std::string Printer::structural_expression(const NodePtr& node) {
  const auto& c = node->children;
  const auto sub = [&](std::size_t i) { return expression(c[i], demanded(*node, i)); };
  switch (node->kind) {
    case Kind::Literal: return node->text;
    case Kind::Name: {
      const auto other = counterpart_of_name(node->text, from_, to_);
      return other ? *other : refuse(node->text);
    }
    case Kind::Unary: {
      check_vector(*node, "an operator");
      if (node->text.starts_with("post")) return sub(0) + node->text.substr(4);
      const auto inner = sub(0);
      return node->text + (inner.starts_with(node->text[0]) ? " " : "") + inner;
    }
    case Kind::Binary:
      check_vector(*node, "an operator");
      return sub(0) + (node->text == "," ? ", " : " " + node->text + " ") + sub(1);
    case Kind::Assign:
      if (node->text != "=" || c[0]->type.lanes != c[1]->type.lanes) check_vector(*c[0], "an operator");
      return sub(0) + " " + node->text + " " + narrowed(c[1], c[0]->type, Assignment);
    case Kind::Select: check_vector(*c[0], "a choice"); return sub(0) + " ? " + sub(1) + " : " + sub(2);
    case Kind::Cast:
      check_vector(*node, "a cast");
      return "(" + type_name(node->type) + ")" + narrowed(c[0], node->type, Prefix);
    case Kind::Call: return call(node);
    case Kind::Index: return sub(0) + "[" + sub(1) + "]";
    case Kind::Member: return member(node);
    case Kind::VectorLiteral: return vector_literal(node);
    case Kind::InitList: {
      std::vector<std::string> parts;
      parts.reserve(c.size());
      for (std::size_t i = 0; i < c.size(); ++i) parts.push_back(sub(i));
      return "{" + join(parts, ", ") + "}";
    }
    case Kind::SizeOf:
      return c.empty() ? "sizeof(" + type_name(node->type) + ")" : "sizeof(" + expression(c[0], Comma) + ")";
    case Kind::ThreadIndex: return thread_index(*node);
    case Kind::Verbatim:
      if (foreign()) return refuse("verbatim code (" + node->text.substr(0, 40) + ")");
      return node->text;
    default: return {};
  }
}

}  // namespace hone::ir
