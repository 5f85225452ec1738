#include "rules/group_values.hpp"

#include <algorithm>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"

namespace hone::rules {
using namespace ir;

namespace {

bool is_step(const NodePtr& n) { return is(n, Kind::Unary) && (n->text.ends_with("++") || n->text.ends_with("--")); }

/// Calls within calls are followed up to here; C has no bound, kernels may not recurse.
constexpr int deepest_call = 4;

/// Stores somewhere else than into variables of its own, or calls what may.
bool has_outer_effects(const Unit& unit, const NodePtr& function, int depth) {
  const Symbols symbols(function);
  return depth == 0 || any_of(function, [&](const NodePtr& n) {
           const bool steps = is(n, Kind::Unary) && (n->text.ends_with("++") || n->text.ends_with("--"));
           if (n->kind == Kind::Verbatim || is(n, Kind::Unary, "&") || n->kind == Kind::Barrier) return true;
           if (n->kind == Kind::Assign || steps) {
             NodePtr target = n->children[0];
             while (is(target, Kind::Member)) target = target->children[0];
             return is_memory_access(target, symbols);
           }
           if (n->kind != Kind::Call || is_pure(call(n->text, {}))) return false;
           const auto callee = find_function(unit, n->text);
           return !callee || !body_of(callee) || has_outer_effects(unit, callee, depth - 1);
         });
}

/// A helper of the unit that computes a value and has no other effect; its calls may be made once or again.
bool only_computes(const Unit& unit, const std::string& callee) {
  const auto helper = find_function(unit, callee);
  return helper && body_of(helper) && !has_outer_effects(unit, helper, deepest_call);
}

bool known_call(const Unit& unit, const NodePtr& n) {
  return is_pure(call(n->text, {})) || only_computes(unit, n->text);
}

}  // namespace

bool reads_memory(const NodePtr& node, const Symbols& symbols) {
  return any_of(node, [&](const NodePtr& n) {
    if (is(n, Kind::Name)) return n->type.space == AddressSpace::Local && !n->type.is_array();
    if (n->kind == Kind::Call)
      return std::any_of(n->children.begin(), n->children.end(),
                         [](const NodePtr& a) { return a->type.is_pointer() || a->type.is_array(); });
    return is_memory_access(n, symbols);
  });
}

std::set<std::string> assigned_variables(const NodePtr& node, const Symbols& symbols) {
  std::set<std::string> out;
  for_each(node, [&](const NodePtr& n) {
    if (n->kind != Kind::Assign && !is_step(n) && !is(n, Kind::Unary, "&")) return;
    NodePtr target = n->children[0];
    while (is(target, Kind::Member)) target = target->children[0];
    const auto root = root_name(target);
    if (root && !is_memory_access(target, symbols)) out.insert(root->text);
  });
  for_each(node, [&](const NodePtr& n) {  // a private array given to a call may be written there
    if (n->kind != Kind::Call) return;
    for (const auto& argument : n->children)
      if (is(argument, Kind::Name) && symbols.declares(argument->text) && argument->type.is_array() &&
          argument->type.space == AddressSpace::Private)
        out.insert(argument->text);
  });
  return out;
}

GroupValues::GroupValues(const Unit& unit, const Nodes& statements, const Symbols& symbols, std::size_t dimensions)
    : unit_(unit), symbols_(symbols), dimensions_(dimensions) {
  const auto whole = block(statements);
  const auto body = marked(whole);
  for (std::size_t d = 0; d < dimensions; ++d)
    along_.emplace_back(body, symbols, Axis{static_cast<int>(d), 2, 1, false});
  changed_ = assigned_variables(whole, symbols);
  for (const auto& v : find_all(whole, Kind::Variable))
    if (value_of(v) && changed_.count(v->text) == 0) {
      first_values_[v->text] = value_of(v);
      if (!shared_variable(v->text) && (v->type.is_plain() || v->type.is_pointer()) && cheap(value_of(v)))
        again_[v->text] = alike(v->type, value_of(v)->type) || v->type.is_pointer()
                              ? value_of(v)
                              : cast(scalar_type(v->type.scalar, v->type.lanes), value_of(v));
    }
}

/// What a call with effects gives, as an atomic does, is each work-item's own.
NodePtr GroupValues::marked(const NodePtr& node) const {
  return rewrite(node, [&](const NodePtr& n) {
    if (n->kind != Kind::Call || known_call(unit_, n)) return n;
    Nodes children = n->children;
    for (std::size_t d = 0; d < dimensions_; ++d)
      children.push_back(thread_index(Thread::LocalId, static_cast<int>(d)));
    return with_children(n, std::move(children));
  });
}

bool GroupValues::quiet(const NodePtr& e) const {
  return !any_of(e, [&](const NodePtr& n) {
    return n->kind == Kind::Assign || n->kind == Kind::Verbatim || is_step(n) || is(n, Kind::Unary, "&") ||
           (n->kind == Kind::Call && !known_call(unit_, n));
  });
}

bool GroupValues::shared(const NodePtr& e) const {
  return quiet(e) && std::all_of(along_.begin(), along_.end(), [&](const Variance& v) { return v.of(e).uniform(); });
}

bool GroupValues::shared_variable(const std::string& name) const {
  return std::all_of(along_.begin(), along_.end(), [&](const Variance& v) { return v.of_variable(name).uniform(); });
}

bool GroupValues::shared_loop(const NodePtr& loop) const {
  const auto same = marked(loop);
  return std::none_of(along_.begin(), along_.end(), [&](const Variance& v) { return v.loop_varies(same); });
}

bool GroupValues::cheap(const NodePtr& e) const {
  return is_harmless(e, symbols_) && !reads_memory(e, symbols_) && !any_of(e, [&](const NodePtr& n) {
           if (n->kind == Kind::Call) return n->text != "min" && n->text != "max" && !n->text.starts_with("convert_");
           if (n->kind == Kind::InitList) return true;
           if (n->kind != Kind::Name) return false;
           if (changed_.count(n->text) != 0) return true;
           return symbols_.declares(n->text) && !shared_variable(n->text) && again_.count(n->text) == 0;
         });
}

std::optional<NodePtr> GroupValues::over_ids(const NodePtr& e) const {
  bool known = quiet(e);
  const auto out = rewrite(e, [&](const NodePtr& n) {
    if (n->kind != Kind::Name || !symbols_.declares(n->text) || shared_variable(n->text)) return n;
    const auto found = again_.find(n->text);
    if (found == again_.end()) return known = false, n;
    const auto inner = over_ids(found->second);
    return inner ? *inner : n;
  });
  return known ? std::optional(out) : std::nullopt;
}

bool GroupValues::not_negative(const NodePtr& e) const {
  switch (e->kind) {
    case Kind::ThreadIndex: return true;
    case Kind::Literal: return int_value(e).value_or(-1) >= 0;
    case Kind::Cast: return not_negative(operand(e));
    case Kind::Binary: return (e->text == "+" || e->text == "*") && not_negative(left(e)) && not_negative(right(e));
    case Kind::Name: {
      if (e->type.is_integer() && !e->type.is_signed()) return true;
      const auto found = first_values_.find(e->text);
      return found != first_values_.end() && not_negative(found->second);
    }
    default: return false;
  }
}

bool GroupValues::positive(const NodePtr& e) const {
  switch (e->kind) {
    case Kind::ThreadIndex:
      return is_thread_index(e, Thread::LocalSize) || is_thread_index(e, Thread::GlobalSize) ||
             is_thread_index(e, Thread::NumGroups);
    case Kind::Literal: return int_value(e).value_or(0) > 0;
    case Kind::Cast: return positive(operand(e));
    case Kind::Binary: return e->text == "*" && positive(left(e)) && positive(right(e));
    case Kind::Name: {
      const auto found = first_values_.find(e->text);
      return found != first_values_.end() && positive(found->second);
    }
    default: return false;
  }
}

bool GroupValues::counts_items(const NodePtr& e) const {
  if (!quiet(e)) return false;
  for (std::size_t d = 0; d < along_.size(); ++d) {
    const Change change = along_[d].of(e);
    if (d == 0 ? change.kind != Change::Kind::Linear || change.step != 1 || change.wraps : !change.uniform())
      return false;
  }
  return true;
}

/// low < high, where low grows along dimension 0 and high stays.
bool GroupValues::rises(const NodePtr& low, const NodePtr& high) const {
  if (!low->type.is_integer() || !high->type.is_integer()) return false;
  const Change l = along_[0].of(low), h = along_[0].of(high);
  if (l.kind != Change::Kind::Linear || l.step < 1 || l.wraps || !h.uniform()) return false;
  return compares(low, low->type, high->type);
}

bool GroupValues::compares(const NodePtr& first, const Type& type, const Type& other) const {
  return (type.is_signed() && common_type(type, other).is_signed()) || not_negative(first);
}

bool GroupValues::holds_for_first(const NodePtr& c) const {
  if (is(c, Kind::Binary, "&&")) {
    const auto fits = [&](const NodePtr& side) { return along_[0].of(side).uniform() || holds_for_first(side); };
    return fits(left(c)) && fits(right(c));
  }
  if (is(c, Kind::Binary, "<") || is(c, Kind::Binary, "<=")) return rises(left(c), right(c));
  if (is(c, Kind::Binary, ">") || is(c, Kind::Binary, ">=")) return rises(right(c), left(c));
  return false;
}

bool GroupValues::only_first(const NodePtr& c) const {
  std::set<int> first;
  const std::function<bool(const NodePtr&)> see = [&](const NodePtr& n) {
    if (is(n, Kind::Binary, "&&")) return see(left(n)) && see(right(n));
    if (!is(n, Kind::Binary, "==")) return false;
    NodePtr id = left(n), zero = right(n);
    if (int_value(id)) std::swap(id, zero);
    while (is(id, Kind::Cast)) id = operand(id);
    if (!is_thread_index(id, Thread::LocalId) || int_value(zero) != 0) return false;
    first.insert(id->dimension);
    return true;
  };
  return see(c) && first.size() == dimensions_;
}

}  // namespace hone::rules
