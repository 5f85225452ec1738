#include "rules/geometry.hpp"

#include <algorithm>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/normal.hpp"
#include "rules/split_vectors.hpp"

namespace hone::rules {
using namespace ir;

namespace {

/// c false for every work-item far enough along the axis.
bool bounds_above(const NodePtr& c, const Variance& variance) {
  if (is(c, Kind::Binary, "&&")) return bounds_above(left(c), variance) || bounds_above(right(c), variance);
  if (!is(c, Kind::Binary) || !left(c)->type.is_integer() || !right(c)->type.is_integer()) return false;
  const Change l = variance.of(left(c)), r = variance.of(right(c));
  if (!l.even() || l.wraps || !r.even() || r.wraps) return false;
  const long long step = l.step - r.step;
  if (c->text == "<" || c->text == "<=") return step > 0;
  return (c->text == ">" || c->text == ">=") && step < 0;
}

bool has_effects(const NodePtr& s, const Symbols& symbols) {
  return any_of(s, [&](const NodePtr& n) {
    if (n->kind == Kind::Assign || (n->kind == Kind::Unary && (n->text.ends_with("++") || n->text.ends_with("--"))))
      return is_memory_access(n->children[0], symbols) || is(n->children[0], Kind::Member);
    return n->kind == Kind::Call && !is_pure(n);
  });
}

/// Reads or writes memory at a place that moves along the axis: far enough along it, outside of what the launch
/// reaches.
bool moves_through_memory(const NodePtr& s, const Symbols& symbols, const Variance& variance) {
  return any_of(s, [&](const NodePtr& n) {
    if (n->kind == Kind::Call) {
      const bool image = n->text.starts_with("read_image");
      return std::any_of(n->children.begin(), n->children.end(), [&](const NodePtr& argument) {
        return (image || argument->type.is_pointer()) && !variance.of(argument).uniform();
      });
    }
    if (!is_memory_access(n, symbols)) return false;
    return !variance.of(n->children.back()).uniform();
  });
}

/// What a work-item beyond the launch's own must not do stands under a condition that keeps it out.
bool accesses_guarded(const NodePtr& s, const Symbols& symbols, const Variance& variance) {
  if (!has_effects(s, symbols) && !moves_through_memory(s, symbols, variance)) return true;
  if (is(s, Kind::If)) {
    if (moves_through_memory(if_condition(s), symbols, variance)) return false;
    const bool then_safe = bounds_above(if_condition(s), variance) || accesses_guarded(if_then(s), symbols, variance);
    const auto other = if_else(s);
    const bool else_safe =
        !other || bounds_above(negated(if_condition(s)), variance) || accesses_guarded(other, symbols, variance);
    return then_safe && else_safe && is_pure(if_condition(s));
  }
  if (is(s, Kind::Block))
    return std::all_of(s->children.begin(), s->children.end(),
                       [&](const NodePtr& c) { return accesses_guarded(c, symbols, variance); });
  if (is(s, Kind::For))
    return accesses_guarded(for_body(s), symbols, variance) &&
           std::none_of(s->children.begin(), s->children.end(), [&](const NodePtr& part) {
             return part && part != for_body(s) && moves_through_memory(part, symbols, variance);
           });
  return false;
}

bool uses_size(const NodePtr& function) {
  return any_of(function, [](const NodePtr& n) { return is_thread_index(n, Thread::GlobalSize); });
}

}  // namespace

bool is_guarded(const NodePtr& original, int dimension) {
  const auto function = with_vectors_split(original);
  const auto body = structured_body(function);
  if (!body || uses_size(function)) return false;
  const Symbols symbols(function);
  const auto whole = block(*body);
  const Variance variance(whole, symbols, Axis{dimension, 2, 1, false});
  return accesses_guarded(whole, symbols, variance);
}

Result<Geometry> geometry_for(const NodePtr& function, const LaunchFacts& facts, const std::vector<int>& dimensions) {
  for (const auto& qualifier : function->qualifiers)
    if (qualifier.find("reqd_work_group_size") != std::string::npos)
      return fail("E-DECLINED", "reqd_work_group_size fixes the work-group");
  if (facts.offset) return fail("E-DECLINED", "a launch starts at an offset");
  if (depends_on_groups(function)) {
    if (!facts.grouped) return fail("E-DECLINED", "the kernel works in groups, but no launch says how large they are");
    return Geometry::Exact;
  }
  const bool guarded =
      std::all_of(dimensions.begin(), dimensions.end(), [&](int d) { return is_guarded(function, d); });
  if (guarded) return Geometry::Guarded;
  return facts.grouped ? Geometry::Exact : Geometry::Kept;
}

}  // namespace hone::rules
