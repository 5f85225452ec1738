// Assignments: to what a work-item holds itself, and to memory.

#include <algorithm>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/tile.hpp"

namespace hone::rules {
using namespace ir;

namespace {

std::string binary_of(const std::string& op) { return op.substr(0, op.size() - 1); }

void append(Nodes& to, const Nodes& from) { to.insert(to.end(), from.begin(), from.end()); }

/// What one lane holds of an element that is stored.
Type stored_lane(const NodePtr& target) {
  Type lane = target->type;
  lane.is_const = false;
  lane.space = AddressSpace::Private;
  return lane;
}

bool contains(const std::vector<std::size_t>& axes, std::size_t a) {
  return std::find(axes.begin(), axes.end(), a) != axes.end();
}

}  // namespace

/// Loads that fewer copies need than there are copies of the statement are made once, before it.
Nodes TileRewrite::hoist(const NodePtr& value, const std::vector<std::size_t>& axes) {
  std::vector<std::size_t> merged;
  for (const auto a : axes)
    if (!(lanes_ && a == *lanes_) && free(a)) merged.push_back(a);
  Nodes out;
  if (merged.empty() || !is_pure(value)) return out;
  each_unconditional(value, [&](const NodePtr& e) {
    if (e->kind != Kind::Index || !is_memory_access(e, symbols_) || !e->type.is_number()) return false;
    const auto own = axes_of(e);
    const bool fewer = std::any_of(merged.begin(), merged.end(), [&](std::size_t a) { return !contains(own, a); });
    if (!fewer) return false;
    const auto root = root_name(e);
    Hoisted h;
    h.type = e->type;
    h.type.is_const = false;
    h.type.space = AddressSpace::Private;
    h.vector = varies_along_lanes(e);
    h.copies.assign(pins_.size(), false);
    for (const auto a : own)
      if (!(lanes_ && a == *lanes_)) h.copies[a] = true;
    h.name = fresh_name((root ? root->text : std::string("loaded")) + "_value", taken_);
    for (const auto& p : points(own, false)) {
      Type type = h.vector ? widened(h.type) : h.type;
      type.is_const = true;
      out.push_back(declare(type, copy_name(h.name, h.copies, p), expression(e, p)));
    }
    hoisted_[e.get()] = std::move(h);
    return true;
  });
  return out;
}

Nodes TileRewrite::effect(const NodePtr& s) {
  if (const auto part = part_in(s); !part.empty()) return added_up(s, part);
  const auto& e = s->children[0];
  NodePtr target, value;
  std::string op;
  if (is(e, Kind::Assign)) {
    target = left(e), value = right(e), op = e->text;
  } else if (is(e, Kind::Unary) && (e->text.ends_with("++") || e->text.ends_with("--"))) {
    target = operand(e), value = int_literal(1), op = e->text.ends_with("++") ? "+=" : "-=";
  } else {
    const auto all = free_axes([](const Variance&) { return true; });
    if (!pins_.empty() && all.empty()) return {expression_statement(scalar(e, origin()))};
    const bool updates = !reassigned(e, true).empty();
    if (updates && axes_of(e).empty()) return {expression_statement(scalar(e, origin()))};
    if (updates && e->kind != Kind::Call) {
      decline("an assignment stands inside another expression");
      return {};
    }
    return one_by_one(s, all, "a call");
  }
  if (!is_pure(value) && !reassigned(value, true).empty() && !free_axes([](const Variance&) { return true; }).empty()) {
    decline("an assignment stands inside another expression");
    return {};
  }
  if (is(target, Kind::Name) || !root_name(target) ||
      (!is_memory_access(target, symbols_) && root_name(target) && holdings_.count(root_name(target)->text) != 0))
    return private_assignment(s, target, op, value);
  return store(s, target, op, value);
}

Nodes TileRewrite::private_assignment(const NodePtr& s, const NodePtr& target, const std::string& op,
                                      const NodePtr& value) {
  const auto root = root_name(target);
  const auto found = root ? holdings_.find(root->text) : holdings_.end();
  if (found == holdings_.end()) {
    if (axes_of(target).empty() && axes_of(value).empty())
      return {expression_statement(scalar(s->children[0], origin()))};
    decline("an assignment to something that is not a variable of the kernel");
    return {};
  }
  const Holding held = found->second;
  std::vector<std::size_t> axes;
  for (std::size_t a = 0; a < held.axes.size(); ++a)
    if (free(a) && (held.axes[a] == Held::Copies || held.axes[a] == Held::Vector)) axes.push_back(a);
  const bool vector = lanes_free() && held.axes[*lanes_] == Held::Vector;
  const bool whole = is(target, Kind::Name) || (is(target, Kind::Index) && !varies_along_lanes(index_value(target)));
  if (vector && !whole) return one_by_one(s, {*lanes_}, "an index");
  const bool one_each = lanes_ && held.axes[*lanes_] == Held::Copies;
  Nodes out = hoist(value, axes);
  for (const auto& p : points(axes, one_each)) {
    const auto to = scalar(target, p);
    if (!vector) {
      out.push_back(is(s->children[0], Kind::Unary) ? expression_statement(scalar(s->children[0], p))
                                                    : assign_statement(to, scalar(value, p), op));
      continue;
    }
    Type lane = target->type.is_number() ? target->type : held.type;
    lane.extents.clear();
    if (op == "=") {
      out.push_back(assign_statement(to, converted(wide(value, p), lane)));
    } else if (alike(common_type(lane, value->type), lane_of(lane)) || op.starts_with("<<") || op.starts_with(">>")) {
      out.push_back(assign_statement(to, converted(wide(value, p), lane), op));
    } else {
      const auto sum = binary(binary_of(op), target, value);
      out.push_back(assign_statement(to, converted(wide(sum, p), lane)));
    }
  }
  hoisted_.clear();
  return out;
}

Nodes TileRewrite::store(const NodePtr& s, const NodePtr& target, const std::string& op, const NodePtr& value) {
  const auto axes = free_axes([&](const Variance& v) { return !v.of(target).uniform() || !v.of(value).uniform(); });
  const bool number = target->type.is_number() || target->type.scalar == Scalar::Half;
  const bool vector = lanes_ && contains(axes, *lanes_) && number;
  if (vector && target->type.scalar == Scalar::Half) {
    decline("what is stored in " + (root_name(target) ? root_name(target)->text : std::string("memory")) +
            " is not a plain number");
    return {};
  }
  Nodes out = hoist(value, axes);
  const auto places = points(axes, !number);
  const auto stored = op == "=" ? value : binary(binary_of(op), target, value);
  if (vector && places.size() > 1) {
    append(out, values_then_stores(target, stored, places));
  } else {
    for (const auto& p : places) {
      if (vector)
        append(out, vector_store(target, converted(wide(stored, p), stored_lane(target)), p));
      else
        out.push_back(is(s->children[0], Kind::Unary) ? expression_statement(scalar(s->children[0], p))
                                                      : assign_statement(scalar(target, p), scalar(value, p), op));
    }
  }
  hoisted_.clear();
  return out;
}

/// All values before the first store: what neighbours both load is then loaded once. No work-item reads what another
/// one stores.
Nodes TileRewrite::values_then_stores(const NodePtr& target, const NodePtr& value, const std::vector<Point>& places) {
  Nodes out, values;
  const Type type = widened(stored_lane(target));
  for (const auto& p : places) {
    const auto held = fresh_name("stored", taken_);
    out.push_back(declare(type, held, converted(wide(value, p), stored_lane(target))));
    values.push_back(name(held, type));
  }
  for (std::size_t i = 0; i < places.size(); ++i) append(out, vector_store(target, values[i], places[i]));
  return out;
}

/// `all` holds what each lane stores.
Nodes TileRewrite::vector_store(const NodePtr& target, const NodePtr& all, const Point& p) {
  const Change where = variances_[*lanes_].of_address(target);
  const auto width = std::to_string(tile_.axes[*lanes_].factor);
  if (where.kind == Change::Kind::Linear && where.step == 1)
    return {expression_statement(
        call("vstore" + width, {all, int_literal(0), address(target, p)}, scalar_type(Scalar::Void)))};
  const Type type = widened(stored_lane(target));
  const bool named = is(all, Kind::Name);
  const auto held = named ? all->text : fresh_name("stored", taken_);
  Nodes out;
  if (!named) out.push_back(declare(type, held, all));
  for (int l = 0; l < tile_.axes[*lanes_].factor; ++l) {
    Point at = p;
    at[*lanes_] = l;
    const std::string field = std::string("s") + "0123456789abcdef"[l];
    out.push_back(assign_statement(scalar(target, at), member(name(held, type), field)));
  }
  return {block(std::move(out))};
}

}  // namespace hone::rules
