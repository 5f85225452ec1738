#include "ir/transformations.hpp"

#include <algorithm>
#include <string_view>

#include "ir/rewrite.hpp"

namespace hone::ir {
namespace {

struct Made {
  std::set<std::string> has;
  int loops = 0, depth = 0, stores = 0;
};

bool is_loop(Kind kind) { return kind == Kind::For || kind == Kind::While || kind == Kind::DoWhile; }

bool is_vector(const Type& type) { return type.lanes > 1 || (type.pointee && type.pointee->lanes > 1); }

int depth_of(const NodePtr& node) {
  int deepest = 0;
  for (const auto& child : node->children)
    if (child) deepest = std::max(deepest, depth_of(child));
  return deepest + (is_loop(node->kind) ? 1 : 0);
}

void see_call(const std::string& callee, std::set<std::string>& has) {
  const std::string_view name = callee;
  if (name.starts_with("vload") || name.starts_with("vstore")) has.insert("vectors");
  if (name == "mad" || name == "fma") has.insert("fused multiply-adds");
  if (name.starts_with("atom")) has.insert("atomics");
  if (name.starts_with("async_work_group")) has.insert("asynchronous copies");
  if (name.starts_with("sub_group") || name.starts_with("__shfl")) has.insert("exchange within a sub-group");
  if (name.starts_with("native_") || name.starts_with("half_")) has.insert("approximate functions");
}

Made made_of(const Unit& unit) {
  Made out;
  for_each(unit.root, [&](const NodePtr& node) {
    if (is_loop(node->kind)) ++out.loops;
    if (node->kind == Kind::Barrier) out.has.insert("barriers");
    if (node->kind == Kind::Call) see_call(node->text, out.has);
    if (node->kind == Kind::Directive && node->text.find("unroll") != std::string::npos)
      out.has.insert("unrolled loops");
    if (node->kind == Kind::Assign && is(left(node), Kind::Index)) ++out.stores;
    const bool declares = node->kind == Kind::Variable || node->kind == Kind::Parameter;
    if (!declares && node->kind != Kind::Cast && node->kind != Kind::VectorLiteral) return;
    if (is_vector(node->type)) out.has.insert("vectors");
    if (!declares) return;
    const bool local = node->type.space == AddressSpace::Local ||
                       (node->type.pointee && node->type.pointee->space == AddressSpace::Local);
    if (local) out.has.insert("local memory");
    if (node->kind == Kind::Variable && node->type.is_array() && !local) out.has.insert("a tile in private memory");
  });
  out.depth = depth_of(unit.root);
  return out;
}

}  // namespace

std::set<std::string> transformations(const Unit& original, const Unit& rewritten) {
  const auto before = made_of(original), after = made_of(rewritten);
  std::set<std::string> out;
  std::ranges::set_difference(after.has, before.has, std::inserter(out, out.end()));
  if (after.depth > before.depth) out.insert("loops nested deeper");
  if (after.loops > before.loops) out.insert("more loops");
  if (after.loops < before.loops) out.insert("fewer loops");
  if (after.stores > before.stores) out.insert("several results of a work-item");
  return out;
}

}  // namespace hone::ir
