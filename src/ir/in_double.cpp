#include "ir/in_double.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "ir/build.hpp"
#include "ir/double_obstacles.hpp"
#include "ir/rewrite.hpp"

namespace hone::ir {
namespace {

Type widened(Type type) {
  if (type.scalar == Scalar::Float) {
    type.scalar = Scalar::Double;
    type.name.clear();
  }
  if (type.pointee) type.pointee = std::make_shared<const Type>(widened(*type.pointee));
  return type;
}

/// The value the float literal has, to the last digit: 0.1f is not 0.1.
NodePtr exact(const NodePtr& number) {
  auto text = fmt::format("{:.17g}", std::strtof(number->text.c_str(), nullptr));
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return literal(text, scalar_type(Scalar::Double));
}

NodePtr converted(const NodePtr& value) {
  const auto lanes = value->type.lanes;
  const auto type = scalar_type(Scalar::Double, lanes);
  return lanes == 1 ? cast(type, value) : call(fmt::format("convert_double{}", lanes), {value}, type);
}

bool has_written_type(Kind kind) {
  return kind == Kind::Function || kind == Kind::Parameter || kind == Kind::Variable || kind == Kind::Cast ||
         kind == Kind::VectorLiteral;
}

}  // namespace

Result<Unit> in_double(const Unit& unit) {
  if (unit.dialect != Dialect::OpenCL) return fail("E-DOUBLE", "only OpenCL kernels are rewritten in double precision");
  if (const auto why = double_obstacle(unit)) return fail("E-DOUBLE", *why);
  const auto own = understood_names(unit);
  Unit out = unit;
  out.root = rewrite(unit.root, [&](const NodePtr& node) -> NodePtr {
    if (node->kind == Kind::Literal && is_float(node->type)) return exact(node);
    if (has_written_type(node->kind)) return with_type(node, widened(node->type));
    if (node->kind == Kind::Call) return with_text(node, in_double_name(node->text).value_or(node->text));
    // What is declared in text that is no part of the tree stays what it is: what is taken from it is widened.
    const bool loads = node->kind == Kind::Name || node->kind == Kind::Index;
    if (!loads || !is_float(node->type) || !node->type.is_plain()) return node;
    const auto root = root_name(node);
    return root && !own.contains(root->text) ? converted(node) : node;
  });
  return out;
}

}  // namespace hone::ir
