#include "rules/variance.hpp"

#include <algorithm>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/arith.hpp"
#include "rules/counted.hpp"

namespace hone::rules {
using namespace ir;

namespace {

using ChangeKind = Change::Kind;

/// Both were seen for one variable.
Change joined(const Change& a, const Change& b) {
  if (a.kind == b.kind && a.step == b.step && a.kind != ChangeKind::Clamped)
    return {a.kind, a.step, a.wraps || b.wraps};
  return a == b ? a : Change::unknown();
}

bool is_step(const NodePtr& n) { return is(n, Kind::Unary) && (n->text.ends_with("++") || n->text.ends_with("--")); }

bool is_comparison(const NodePtr& n) {
  return is(n, Kind::Binary) && (n->text == "<" || n->text == "<=" || n->text == ">" || n->text == ">=");
}

/// `bound` is `limit`, or the index just before it.
bool meets(const NodePtr& bound, const NodePtr& limit) {
  if (same(bound, limit)) return true;
  return is(bound, Kind::Binary, "-") && same(left(bound), limit) && int_value(right(bound)) == 1;
}

}  // namespace

Variance::Variance(const NodePtr& body, const Symbols& symbols, const Axis& axis)
    : symbols_(symbols),
      axis_(axis),
      reassigned_(reassigned(body, true)),
      assigned_in_bodies_(reassigned(body, false)) {
  if (axis_.loop)
    if (const auto c = counted(axis_.loop)) variables_[c->name] = Change::linear(axis_.unit * c->step);
  for (const auto& part : axis_.parts) variables_[part] = Change::unknown();
  // Facts only get weaker from pass to pass, so this ends.
  do {
    changed_ = false;
    walk(body, 0);
  } while (changed_);
}

Change Variance::of_variable(const std::string& name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? Change{} : found->second;
}

NodePtr Variance::definition(const std::string& name) const {
  const auto found = definitions_.find(name);
  return found == definitions_.end() ? nullptr : found->second;
}

void Variance::assign(const std::string& name, Change change, int depth) {
  if (!symbols_.declares(name) || (axis_.loop && for_init(axis_.loop)->children[0]->text == name)) return;
  const auto declared_at = depths_.find(name);
  if (depth > (declared_at == depths_.end() ? 0 : declared_at->second)) change = Change::unknown();
  change = kept_in(change, symbols_.type_of(name));
  if (change.kind == ChangeKind::Clamped && definition(name) == nullptr) change = Change::unknown();
  const auto found = variables_.find(name);
  const Change next = found == variables_.end() ? change : joined(found->second, change);
  if (found != variables_.end() && found->second == next) return;
  variables_[name] = next;
  changed_ = true;
}

/// A variable holds a step only when its type does: an int in a float, or in a char, is just a varying value.
Change Variance::kept_in(Change change, const Type& type) const {
  if (change.uniform() || type.is_pointer()) return change;
  if (!type.is_plain() || type.lanes != 1 || !type.is_integer() || size_of(type) < 4) return Change::unknown();
  if (change.wraps && size_of(type) > 4) return Change::unknown();
  return change;
}

void Variance::declare(const NodePtr& variable, int depth) {
  depths_[variable->text] = depth;
  const auto value = value_of(variable);
  if (!value) return;
  walk_expression(value, depth);
  const Change change = of(value);
  if (change.kind == ChangeKind::Clamped && !touches_memory(value, symbols_) &&
      reassigned_.count(variable->text) == 0) {
    const auto inputs = read(value);
    const bool steady = std::none_of(inputs.begin(), inputs.end(),
                                     [&](const std::string& n) { return assigned_in_bodies_.count(n) != 0; });
    if (steady) definitions_[variable->text] = value;
  }
  assign(variable->text, change, depth);
}

void Variance::walk_expression(const NodePtr& expression, int depth) {
  for_each(expression, [&](const NodePtr& n) {
    if (n->kind == Kind::Assign) {
      const auto root = root_name(left(n));
      if (!root || is_memory_access(left(n), symbols_)) return;
      Change value = of(right(n));
      if (n->text == "+=" || n->text == "-=") {
        value = value.uniform() ? of_variable(root->text) : Change::unknown();
      } else if (n->text != "=" && !(value.uniform() && of_variable(root->text).uniform())) {
        value = Change::unknown();
      }
      if (!is(left(n), Kind::Name) && !(value.uniform() && of(left(n)).uniform())) value = Change::unknown();
      assign(root->text, value, depth);
    } else if (is_step(n)) {
      if (const auto root = root_name(operand(n)); root && !is_memory_access(operand(n), symbols_))
        assign(root->text, of_variable(root->text), depth);
    } else if (is(n, Kind::Unary, "&")) {
      if (const auto root = root_name(operand(n)); root && !is_memory_access(operand(n), symbols_))
        assign(root->text, Change::unknown(), depth);
    } else if (is(n, Kind::Call)) {
      for (const auto& argument : n->children)
        if (const auto root = root_name(argument); root && symbols_.type_of(root->text).is_array() &&
                                                   !is_memory_access(index(root, int_literal(0)), symbols_) &&
                                                   is(argument, Kind::Name))
          assign(root->text, Change::unknown(), depth);
    }
  });
}

void Variance::walk(const NodePtr& s, int depth) {
  switch (s->kind) {
    case Kind::Block:
      for (const auto& child : s->children) walk(child, depth);
      break;
    case Kind::Declare:
      for (const auto& v : s->children) declare(v, depth);
      break;
    case Kind::If: {
      walk_expression(if_condition(s), depth);
      const int inside = of(if_condition(s)).uniform() ? depth : depth + 1;
      walk(if_then(s), inside);
      if (if_else(s)) walk(if_else(s), inside);
      break;
    }
    case Kind::For:
    case Kind::While:
    case Kind::DoWhile:
    case Kind::Switch: {
      if (s->kind == Kind::For) walk(for_init(s), depth);
      // A switch is always taken one work-item at a time, so what it assigns belongs to each.
      const int inside = s->kind == Kind::Switch || loop_varies(s) ? depth + 1 : depth;
      // Those who are still in the loop have taken as many steps.
      const bool in_step = s->kind == Kind::For && counted(s);
      for (const auto& child : s->children) {
        if (s->kind == Kind::For && child == for_init(s)) continue;
        if (is_expression(*child))
          walk_expression(child, in_step ? depth : inside);
        else
          walk(child, inside);
      }
      break;
    }
    default:
      for (const auto& child : s->children)
        if (is_expression(*child)) walk_expression(child, depth);
  }
}

bool Variance::jumps_vary(const NodePtr& s, bool under) const {
  switch (s->kind) {
    case Kind::Break:
    case Kind::Continue: return under;
    case Kind::For:
    case Kind::While:
    case Kind::DoWhile: return false;  // theirs end there; a return would have been declined before
    case Kind::If: {
      const bool inside = under || !of(if_condition(s)).uniform();
      return jumps_vary(if_then(s), inside) || (if_else(s) && jumps_vary(if_else(s), inside));
    }
    default:
      return std::any_of(s->children.begin(), s->children.end(),
                         [&](const NodePtr& c) { return jumps_vary(c, under); });
  }
}

bool Variance::loop_varies(const NodePtr& loop) const {
  const auto header_varies = [&](const NodePtr& n) { return is_expression(*n) && !of(n).uniform(); };
  switch (loop->kind) {
    case Kind::For: {
      const auto step_varies = [&] {
        const auto stepped = written(for_step(loop));
        return std::any_of(stepped.begin(), stepped.end(),
                           [&](const std::string& n) { return !of_variable(n).uniform(); });
      };
      return header_varies(for_condition(loop)) || step_varies() || jumps_vary(for_body(loop), false);
    }
    case Kind::While: return header_varies(loop->children[0]) || jumps_vary(body_of(loop), false);
    case Kind::DoWhile: return header_varies(loop->children[1]) || jumps_vary(body_of(loop), false);
    case Kind::Switch: return header_varies(loop->children[0]) || jumps_vary(body_of(loop), false);
    default: return false;
  }
}

Change Variance::of_address(const NodePtr& access) const {
  if (access->kind != Kind::Unary && access->kind != Kind::Index) return Change::unknown();  // v[i].x, say
  const Change base = of(access->children[0]);
  if (access->kind == Kind::Unary) return base;
  const Change at = of(index_value(access));
  if (base.uniform()) return at;
  // Rows of an array of arrays are further apart than one element.
  const bool rows = is(access->children[0], Kind::Index);
  return !rows && base.even() && at.even() ? Change::linear(base.step + at.step) : Change::unknown();
}

Change Variance::of_parts(const NodePtr& e) const {
  const bool all =
      std::all_of(e->children.begin(), e->children.end(), [&](const NodePtr& c) { return of(c).uniform(); });
  return all ? Change{} : Change::unknown();
}

Change Variance::of_binary(const NodePtr& e) const {
  const Change a = of(left(e)), b = of(right(e));
  if (a.uniform() && b.uniform()) return {};
  const bool whole = e->type.is_pointer() || (left(e)->type.is_integer() && right(e)->type.is_integer()) ||
                     left(e)->type.is_pointer() || left(e)->type.is_array();
  if (!whole) return Change::unknown();
  const bool adds = e->text == "+", subtracts = e->text == "-";
  const bool wraps = a.wraps || b.wraps || (subtracts && e->type.is_integer() && !e->type.is_signed());
  if ((adds || subtracts) && a.even() && b.even())
    return Change::linear(adds ? a.step + b.step : a.step - b.step, wraps);
  if (wraps) return Change::unknown();
  if (adds && (a.uniform() || b.uniform())) return a.uniform() ? b : a;
  if (subtracts && b.uniform()) return a;
  if (e->text == "*" && a.even() && b.even()) {
    const auto factor = a.uniform() ? constant_of(left(e)) : b.uniform() ? constant_of(right(e)) : std::nullopt;
    if (factor) return Change::linear((a.step + b.step) * *factor);
  }
  if (e->text == "<<" && a.even())
    if (const auto shift = int_value(right(e)); shift && *shift < 16) return Change::linear(a.step << *shift);
  return Change::unknown();
}

/// min, max and clamp keep an index from moving by more than it did.
Change Variance::of_call(const NodePtr& e) const {
  const Change parts = of_parts(e);
  const bool limits = e->text == "min" || e->text == "max" || e->text == "clamp";
  if (parts.uniform() || !limits || !e->type.is_integer() || e->type.lanes != 1) return parts;
  int moving = 0;
  for (const auto& argument : e->children) {
    const Change c = of(argument);
    if (c.uniform()) continue;
    const bool gentle = c.kind == ChangeKind::Clamped || (c.kind == ChangeKind::Linear && c.step == 1);
    if (!gentle || c.wraps || ++moving > 1) return Change::unknown();
  }
  return {ChangeKind::Clamped, 0, false};
}

/// x < 0 ? 0 : x and x < n ? x : n - 1, in all their spellings.
Change Variance::of_select(const NodePtr& e) const {
  const Change parts = of_parts(e);
  const auto& test = e->children[0];
  if (parts.uniform() || !is_comparison(test)) return parts;
  const auto fits = [&](const NodePtr& moving, const NodePtr& limit) {
    const Change c = of(moving);
    if (!of(limit).uniform() || c.wraps || !moving->type.is_integer()) return false;
    if (c.kind != ChangeKind::Clamped && !(c.kind == ChangeKind::Linear && c.step == 1)) return false;
    const bool limited_first = same(e->children[2], moving) && meets(e->children[1], limit);
    const bool limited_last = same(e->children[1], moving) && meets(e->children[2], limit);
    return limited_first || limited_last;
  };
  if (fits(left(test), right(test)) || fits(right(test), left(test))) return {ChangeKind::Clamped, 0, false};
  return Change::unknown();
}

Change Variance::of(const NodePtr& e) const {
  switch (e->kind) {
    case Kind::Literal:
    case Kind::SizeOf: return {};
    case Kind::Name: return of_variable(e->text);
    case Kind::ThreadIndex: {
      const bool moves = is_thread_index(e, Thread::GlobalId) || is_thread_index(e, Thread::LocalId);
      return moves && !axis_.loop && e->dimension == axis_.dimension ? Change::linear(axis_.unit) : Change{};
    }
    case Kind::Binary: return of_binary(e);
    case Kind::Cast:
      return operand(e)->type.is_integer() || e->type.is_pointer() ? kept_in(of(operand(e)), e->type) : of_parts(e);
    case Kind::Call: return of_call(e);
    case Kind::Select: return of_select(e);
    default: return of_parts(e);
  }
}

}  // namespace hone::rules
