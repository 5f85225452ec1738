#include "ir/build.hpp"

#include <algorithm>
#include <array>

namespace hone::ir {
namespace {

std::shared_ptr<Node> make(Kind kind, std::string text = {}, Nodes children = {}, Type type = {}) {
  auto node = std::make_shared<Node>();
  node->kind = kind;
  node->text = std::move(text);
  node->children = std::move(children);
  node->type = std::move(type);
  return node;
}

bool is_comparison(const std::string& op) {
  return op == "<" || op == ">" || op == "<=" || op == ">=" || op == "==" || op == "!=" || op == "&&" || op == "||";
}

/// OpenCL: comparing vectors gives a vector of signed integers as wide as the lanes; comparing scalars gives int.
Type comparison_type(const Type& a, const Type& b) {
  const Type wide = common_type(a, b);
  if (wide.lanes == 1 || !wide.is_plain()) return int_type();
  switch (size_of(lane_of(wide))) {
    case 1: return scalar_type(Scalar::Char, wide.lanes);
    case 2: return scalar_type(Scalar::Short, wide.lanes);
    case 8: return scalar_type(Scalar::Long, wide.lanes);
    default: return scalar_type(Scalar::Int, wide.lanes);
  }
}

Type unqualified(Type type) {
  type.is_const = type.is_volatile = false;
  type.space = AddressSpace::Private;
  return type;
}

Type binary_type(const std::string& op, const Type& a, const Type& b) {
  if (op == ",") return b;
  if (is_comparison(op)) return comparison_type(a, b);
  if (op == "<<" || op == ">>") return unqualified(common_type(a, a));
  if (op == "-" && !a.is_plain() && !b.is_plain()) return scalar_type(Scalar::Long);
  if (a.is_array()) return pointer_to(element_of(a));
  if (b.is_array()) return pointer_to(element_of(b));
  return unqualified(common_type(a, b));
}

Type unary_type(const std::string& op, const Type& a) {
  if (op == "*") return element_of(a);
  if (op == "&") return pointer_to(a);
  if (op == "!") return comparison_type(a, a);
  if (op == "-" || op == "+" || op == "~") return a.is_plain() ? common_type(a, a) : a;
  return a;
}

Type swizzle_type(const Type& base, const std::string& field) {
  if (!base.is_vector()) return {};
  std::size_t lanes = field.size();
  if (field == "lo" || field == "hi" || field == "even" || field == "odd")
    lanes = static_cast<std::size_t>(base.lanes + 1) / 2;
  else if ((field[0] == 's' || field[0] == 'S') && lanes > 1)
    lanes -= 1;
  return scalar_type(base.scalar, static_cast<int>(lanes));
}

}  // namespace

const char* thread_name(Thread thread) {
  static constexpr std::array names = {"global_id",  "local_id",   "group_id",     "global_size",
                                       "local_size", "num_groups", "global_offset"};
  return names[static_cast<std::size_t>(thread)];
}

bool is_thread_index(const NodePtr& node, Thread thread) { return is(node, Kind::ThreadIndex, thread_name(thread)); }

NodePtr int_literal(long long value) {
  if (value < 0) return unary("-", literal(std::to_string(0ULL - static_cast<unsigned long long>(value)), int_type()));
  const bool fits = value <= 2147483647;
  return literal(std::to_string(value), scalar_type(fits ? Scalar::Int : Scalar::Long));
}
NodePtr literal(std::string text, Type type) { return make(Kind::Literal, std::move(text), {}, std::move(type)); }
NodePtr name(std::string text, Type type) { return make(Kind::Name, std::move(text), {}, std::move(type)); }
NodePtr unary(std::string op, NodePtr operand) {
  Type type = unary_type(op, operand->type);
  return make(Kind::Unary, std::move(op), {std::move(operand)}, std::move(type));
}
NodePtr binary(std::string op, NodePtr left, NodePtr right) {
  Type type = binary_type(op, left->type, right->type);
  return make(Kind::Binary, std::move(op), {std::move(left), std::move(right)}, std::move(type));
}
NodePtr assign(NodePtr target, NodePtr value, std::string op) {
  Type type = unqualified(target->type);
  return make(Kind::Assign, std::move(op), {std::move(target), std::move(value)}, std::move(type));
}
NodePtr select(NodePtr condition, NodePtr then_value, NodePtr else_value) {
  Type type = unqualified(common_type(then_value->type, else_value->type));
  return make(Kind::Select, {}, {std::move(condition), std::move(then_value), std::move(else_value)}, std::move(type));
}
NodePtr cast(Type type, NodePtr operand) { return make(Kind::Cast, {}, {std::move(operand)}, std::move(type)); }
NodePtr call(std::string callee, Nodes arguments, Type type) {
  return make(Kind::Call, std::move(callee), std::move(arguments), std::move(type));
}
NodePtr index(NodePtr base, NodePtr index_value) {
  Type type = element_of(base->type);
  return make(Kind::Index, {}, {std::move(base), std::move(index_value)}, std::move(type));
}
NodePtr member(NodePtr base, std::string field, Type type) {
  if (base->type.is_vector()) type = swizzle_type(base->type, field);
  return make(Kind::Member, std::move(field), {std::move(base)}, std::move(type));
}
NodePtr vector_literal(Type type, Nodes parts) {
  return make(Kind::VectorLiteral, {}, std::move(parts), std::move(type));
}
NodePtr init_list(Nodes values, Type type) { return make(Kind::InitList, {}, std::move(values), std::move(type)); }
NodePtr size_of_type(Type type) { return make(Kind::SizeOf, {}, {}, std::move(type)); }
NodePtr thread_index(Thread thread, int dimension, Type type) {
  auto node = make(Kind::ThreadIndex, thread_name(thread), {}, std::move(type));
  node->dimension = dimension;
  return node;
}

NodePtr block(Nodes statements) { return make(Kind::Block, {}, std::move(statements)); }
NodePtr for_loop(NodePtr init, NodePtr condition, NodePtr step, NodePtr body) {
  return make(Kind::For, {}, {std::move(init), std::move(condition), std::move(step), std::move(body)});
}
NodePtr counted_loop(const std::string& loop, NodePtr begin, NodePtr end, NodePtr step, NodePtr body, Type type) {
  const auto counter = name(loop, type);
  auto next = int_value(step) == 1 ? unary("post++", counter) : assign(counter, std::move(step), "+=");
  return for_loop(declare(std::move(type), loop, std::move(begin)), binary("<", counter, std::move(end)),
                  std::move(next), std::move(body));
}
NodePtr if_then_else(NodePtr condition, NodePtr then_branch, NodePtr else_branch) {
  Nodes parts = {std::move(condition), std::move(then_branch)};
  if (else_branch) parts.push_back(std::move(else_branch));
  return make(Kind::If, {}, std::move(parts));
}
NodePtr while_loop(NodePtr condition, NodePtr body) {
  return make(Kind::While, {}, {std::move(condition), std::move(body)});
}
NodePtr do_while(NodePtr body, NodePtr condition) {
  return make(Kind::DoWhile, {}, {std::move(body), std::move(condition)});
}
NodePtr variable(Type type, std::string name, NodePtr value) {
  Nodes parts;
  if (value) parts.push_back(std::move(value));
  return make(Kind::Variable, std::move(name), std::move(parts), std::move(type));
}
NodePtr declare(Type type, std::string name, NodePtr value) {
  return declare_all({variable(std::move(type), std::move(name), std::move(value))});
}
NodePtr declare_all(Nodes variables) { return make(Kind::Declare, {}, std::move(variables)); }
NodePtr expression_statement(NodePtr expression) {
  return make(Kind::ExpressionStatement, {}, {std::move(expression)});
}
NodePtr assign_statement(NodePtr target, NodePtr value, std::string op) {
  return expression_statement(assign(std::move(target), std::move(value), std::move(op)));
}
NodePtr return_statement(NodePtr value) {
  Nodes parts;
  if (value) parts.push_back(std::move(value));
  return make(Kind::Return, {}, std::move(parts));
}
NodePtr barrier(std::string fences) { return make(Kind::Barrier, std::move(fences)); }
NodePtr directive(std::string text) { return make(Kind::Directive, std::move(text)); }
NodePtr empty() { return make(Kind::Empty); }
NodePtr simple(Kind kind) { return make(kind); }

NodePtr parameter(Type type, std::string name) { return make(Kind::Parameter, std::move(name), {}, std::move(type)); }
NodePtr function(Type result, std::string name, Nodes parameters, NodePtr body, std::vector<std::string> qualifiers) {
  if (body) parameters.push_back(std::move(body));
  auto node = make(Kind::Function, std::move(name), std::move(parameters), std::move(result));
  node->qualifiers = std::move(qualifiers);
  return node;
}
NodePtr verbatim(std::string text, Effects effects) {
  auto node = make(Kind::Verbatim, std::move(text));
  node->effects = std::make_shared<const Effects>(std::move(effects));
  return node;
}
NodePtr top_level(std::string text, Effects effects) {
  auto node = make(Kind::TopLevel, std::move(text));
  node->effects = std::make_shared<const Effects>(std::move(effects));
  return node;
}

}  // namespace hone::ir
