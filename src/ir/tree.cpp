#include "ir/tree.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <utility>

namespace hone::ir {
namespace {

/// Kinds whose type is part of what was written; elsewhere it follows from the children.
bool type_is_written(Kind kind) {
  switch (kind) {
    case Kind::Function:
    case Kind::Parameter:
    case Kind::Variable:
    case Kind::Cast:
    case Kind::VectorLiteral: return true;
    default: return false;
  }
}

std::shared_ptr<Node> rebuilt(const NodePtr& node) {
  auto copy = std::make_shared<Node>(*node);
  if (!copy->original && copy->origin.owns()) copy->original = node;
  return copy;
}

}  // namespace

const char* dialect_name(Dialect dialect) {
  switch (dialect) {
    case Dialect::OpenCL: return "OpenCL C";
    case Dialect::Cuda: return "CUDA";
    case Dialect::Hip: return "HIP";
  }
  return "";
}

const char* kind_name(Kind kind) {
  static constexpr const char* names[] = {"Unit",          "Function", "Parameter", "TopLevel",
                                          "Directive",     "Block",    "For",       "If",
                                          "While",         "DoWhile",  "Switch",    "Case",
                                          "Default",       "Declare",  "Variable",  "ExpressionStatement",
                                          "Return",        "Break",    "Continue",  "Barrier",
                                          "Empty",         "Verbatim", "Literal",   "Name",
                                          "Unary",         "Binary",   "Assign",    "Select",
                                          "Cast",          "Call",     "Index",     "Member",
                                          "VectorLiteral", "InitList", "SizeOf",    "ThreadIndex"};
  return names[static_cast<std::size_t>(kind)];
}

bool is_expression(const Node& node) { return node.kind >= Kind::Literal; }
bool is_statement(const Node& node) {
  return (node.kind >= Kind::Block && node.kind <= Kind::Verbatim && node.kind != Kind::Variable) ||
         node.kind == Kind::Directive;
}

bool same(const Node& a, const Node& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.text != b.text || a.dimension != b.dimension || a.qualifiers != b.qualifiers) return false;
  if (type_is_written(a.kind) && !(a.type == b.type)) return false;
  if (a.kind == Kind::SizeOf && a.children.empty() && !(a.type == b.type)) return false;
  return std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(),
                    [](const NodePtr& x, const NodePtr& y) { return same(x, y); });
}

NodePtr with_children(const NodePtr& node, Nodes children) {
  if (node->children == children) return node;
  auto copy = rebuilt(node);
  copy->children = std::move(children);
  return copy;
}

NodePtr with_child(const NodePtr& node, std::size_t index, NodePtr child) {
  auto children = node->children;
  children.at(index) = std::move(child);
  return with_children(node, std::move(children));
}

NodePtr with_text(const NodePtr& node, std::string text) {
  if (node->text == text) return node;
  auto copy = rebuilt(node);
  copy->text = std::move(text);
  return copy;
}

NodePtr with_type(const NodePtr& node, Type type) {
  if (node->type == type) return node;
  auto copy = rebuilt(node);
  copy->type = std::move(type);
  return copy;
}

NodePtr with_qualifiers(const NodePtr& node, std::vector<std::string> qualifiers) {
  if (node->qualifiers == qualifiers) return node;
  auto copy = rebuilt(node);
  copy->qualifiers = std::move(qualifiers);
  return copy;
}

NodePtr fresh(const NodePtr& node) {
  auto copy = std::make_shared<Node>(*node);
  copy->origin = {};
  copy->original = nullptr;
  for (auto& child : copy->children) child = fresh(child);
  return copy;
}

NodePtr body_of(const NodePtr& n) {
  switch (n->kind) {
    case Kind::For: return n->children[3];
    case Kind::While:
    case Kind::Switch: return n->children[1];
    case Kind::DoWhile: return n->children[0];
    case Kind::Function:
      return n->children.empty() || !is(n->children.back(), Kind::Block) ? nullptr : n->children.back();
    default: return nullptr;
  }
}

Nodes parameters_of(const NodePtr& function) {
  Nodes out;
  std::copy_if(function->children.begin(), function->children.end(), std::back_inserter(out),
               [](const NodePtr& child) { return is(child, Kind::Parameter); });
  return out;
}

bool is_kernel(const Node& function) {
  return function.kind == Kind::Function &&
         std::find(function.qualifiers.begin(), function.qualifiers.end(), "kernel") != function.qualifiers.end();
}

NodePtr assignment_of(const NodePtr& statement) {
  if (!is(statement, Kind::ExpressionStatement) || !is(statement->children[0], Kind::Assign)) return nullptr;
  return statement->children[0];
}

std::optional<long long> int_value(const NodePtr& node) {
  if (!is(node, Kind::Literal) || node->text.empty() || std::isdigit(static_cast<unsigned char>(node->text[0])) == 0)
    return std::nullopt;
  errno = 0;
  char* end = nullptr;
  const auto value = std::strtoull(node->text.c_str(), &end, 0);
  const std::string_view suffix(end);
  if (errno != 0 || suffix.find_first_not_of("uUlL") != std::string_view::npos) return std::nullopt;
  return static_cast<long long>(value);
}

}  // namespace hone::ir
