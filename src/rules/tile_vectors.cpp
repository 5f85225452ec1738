// Expressions over all lanes at once. A value that is the same for all stays a scalar until something needs it wide;
// whatever has no vector form is computed lane by lane and put together.

#include <algorithm>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/arith.hpp"
#include "rules/normal.hpp"
#include "rules/tile.hpp"

namespace hone::rules {
using namespace ir;

namespace {

bool is_comparison(const std::string& op) {
  return op == "<" || op == ">" || op == "<=" || op == ">=" || op == "==" || op == "!=";
}
bool is_logical(const NodePtr& e) {
  if (is(e, Kind::Unary, "!")) return true;
  return is(e, Kind::Binary) && (is_comparison(e->text) || e->text == "&&" || e->text == "||");
}

/// One lane as OpenCL holds it in a vector: there are no vectors of bool.
Type plain(const Type& lane) { return scalar_type(lane.scalar == Scalar::Bool ? Scalar::Int : lane.scalar); }

}  // namespace

Type TileRewrite::widened(const Type& lane) const {
  return scalar_type(plain(lane).scalar, tile_.axes[*lanes_].factor);
}

Change TileRewrite::lane_change(const NodePtr& e) const { return variances_[*lanes_].of(e); }

NodePtr TileRewrite::converted(const NodePtr& value, const Type& lane) const {
  const Type wanted = widened(lane);
  if (value->type.lanes == 1) return vector_literal(wanted, {value});
  if (value->type.scalar == wanted.scalar) return value;
  return call("convert_" + std::string(ir::scalar_name(wanted.scalar)) + std::to_string(wanted.lanes), {value}, wanted);
}

NodePtr TileRewrite::wide(const NodePtr& e, const Point& p) {
  if (hoisted_.count(e.get()) != 0 || !varies_along_lanes(e)) return scalar(e, p);
  const Change change = lane_change(e);
  if (change.kind == Change::Kind::Linear && e->type.is_integer() && !change.wraps) return ramp(e, p, change.step);
  if (is_logical(e)) return unary("-", mask_as(mask(e, p), int_type()));
  switch (e->kind) {
    case Kind::Name: {
      const auto held = holdings_.find(e->text);
      if (held != holdings_.end() && held->second.axes[*lanes_] == Held::Vector) return scalar(e, p);
      return lane_by_lane(e, p);
    }
    case Kind::Unary:
      if (e->text == "-" || e->text == "+" || e->text == "~")
        return unary(e->text, converted(wide(operand(e), p), e->type));
      if (e->text == "*") return wide_load(e, p);
      return lane_by_lane(e, p);
    case Kind::Binary: return wide_binary(e, p);
    case Kind::Select: return wide_select(e, p);
    case Kind::Cast:
      if (e->type.is_number() && operand(e)->type.is_number()) return converted(wide(operand(e), p), e->type);
      return lane_by_lane(e, p);
    case Kind::Call: return wide_call(e, p);
    case Kind::Index: return wide_load(e, p);
    default: return lane_by_lane(e, p);
  }
}

NodePtr TileRewrite::ramp(const NodePtr& e, const Point& p, long long step) {
  Nodes steps;
  for (int l = 0; l < tile_.axes[*lanes_].factor; ++l) steps.push_back(int_literal(step * l));
  return binary("+", vector_literal(widened(e->type), {scalar(e, p)}),
                vector_literal(widened(e->type), std::move(steps)));
}

NodePtr TileRewrite::lane_by_lane(const NodePtr& e, const Point& p) {
  if (!e->type.is_number() || e->type.scalar == Scalar::Half)
    return decline("a value that differs between neighbouring work-items is not a plain number");
  if (!reassigned(e, true).empty()) return decline("an expression with side effects differs between work-items");
  Nodes parts;
  for (int l = 0; l < tile_.axes[*lanes_].factor; ++l) {
    Point at = p;
    at[*lanes_] = l;
    parts.push_back(scalar(e, at));
  }
  const bool alike_all = std::all_of(parts.begin(), parts.end(), [&](const NodePtr& p) { return same(p, parts[0]); });
  if (alike_all && is(parts[0], Kind::Name)) parts.resize(1);
  return vector_literal(widened(e->type), std::move(parts));
}

NodePtr TileRewrite::wide_binary(const NodePtr& e, const Point& p) {
  const Type a = left(e)->type, b = right(e)->type;
  if (!a.is_number() || !b.is_number() || e->text == ",") return lane_by_lane(e, p);
  const bool shifts = e->text == "<<" || e->text == ">>";
  const Type common = shifts ? common_type(a, a) : common_type(a, b);
  auto l = wide(left(e), p), r = wide(right(e), p);
  // A scalar beside a vector of its own type needs no help.
  const auto fits = [&](const NodePtr& n) {
    return n->type.lanes == 1 && !shifts && alike(lane_of(n->type), plain(common));
  };
  if (!(fits(l) && r->type.lanes > 1)) l = converted(l, common);
  if (!(fits(r) && l->type.lanes > 1)) r = converted(r, common);
  return binary(e->text, l, r);
}

/// A comparison of vectors, or any condition, as all ones and zeros.
NodePtr TileRewrite::mask(const NodePtr& e, const Point& p) {
  if (!varies_along_lanes(e))
    return vector_literal(widened(int_type()), {select(scalar(e, p), int_literal(-1), int_literal(0))});
  if (is(e, Kind::Unary, "!")) return unary("~", mask(operand(e), p));
  if (is(e, Kind::Binary, "&&") || is(e, Kind::Binary, "||")) {
    if (!is_harmless(right(e), symbols_)) {
      const auto flags = lane_by_lane(e, p);
      return flags->type.lanes > 1 ? binary("!=", flags, vector_literal(widened(int_type()), {int_literal(0)})) : flags;
    }
    return binary(e->text == "&&" ? "&" : "|", mask_as(mask(left(e), p), int_type()),
                  mask_as(mask(right(e), p), int_type()));
  }
  const bool compares =
      is(e, Kind::Binary) && is_comparison(e->text) && left(e)->type.is_number() && right(e)->type.is_number();
  if (!compares) {
    const auto value = converted(wide(e, p), e->type);
    return binary("!=", value, vector_literal(widened(e->type), {int_literal(0)}));
  }
  const Type common = common_type(left(e)->type, right(e)->type);
  return binary(e->text, converted(wide(left(e), p), common), converted(wide(right(e), p), common));
}

/// select() wants a mask whose lanes are as wide as those it chooses between.
NodePtr TileRewrite::mask_as(const NodePtr& m, const Type& lane) const {
  Scalar wanted = Scalar::Int;
  switch (size_of(plain(lane))) {
    case 1: wanted = Scalar::Char; break;
    case 2: wanted = Scalar::Short; break;
    case 8: wanted = Scalar::Long; break;
    default: break;
  }
  return converted(m, scalar_type(wanted));
}

NodePtr TileRewrite::wide_select(const NodePtr& e, const Point& p) {
  const auto& condition = e->children[0];
  if (!e->type.is_number()) return lane_by_lane(e, p);
  const auto yes = [&] { return converted(wide(e->children[1], p), e->type); };
  const auto no = [&] { return converted(wide(e->children[2], p), e->type); };
  if (!varies_along_lanes(condition)) return select(scalar(condition, p), yes(), no());
  const bool harmless = is_pure(condition) && is_harmless_after(condition, e->children[1], symbols_) &&
                        is_harmless_after(condition, e->children[2], symbols_);
  if (harmless) return call("select", {no(), yes(), mask_as(mask(condition, p), e->type)}, widened(e->type));
  if (!is_pure(condition)) return lane_by_lane(e, p);
  // Branches that may only be evaluated where they are chosen: together when all choose the same.
  const auto pins = pins_;
  for (std::size_t a = 0; a < pins_.size(); ++a)
    if (a != *lanes_) pins_[a] = p[a];
  const auto all = when_all(condition);
  pins_ = pins;
  return all ? select(*all, yes(), lane_by_lane(e, p)) : lane_by_lane(e, p);
}

NodePtr TileRewrite::wide_call(const NodePtr& e, const Point& p) {
  if (!is_elementwise(e->text) || find_function(unit_, e->text) || !e->type.is_number()) {
    const auto helper = find_function(unit_, e->text);
    const bool stores =
        helper && body_of(helper) && any_of(helper, [](const NodePtr& n) {
          return n->kind == Kind::Assign && (left(n)->kind == Kind::Index || is(left(n), Kind::Unary, "*"));
        });
    if (stores) return decline("the helper " + e->text + " stores through a pointer");
    if (e->text.starts_with("atom")) return decline("an atomic operation gives each work-item its own value");
    return lane_by_lane(e, p);
  }
  Nodes arguments;
  for (const auto& argument : e->children) {
    if (!argument->type.is_number()) return lane_by_lane(e, p);
    arguments.push_back(converted(wide(argument, p), e->type));
  }
  return call(e->text, std::move(arguments), widened(e->type));
}

NodePtr TileRewrite::address(const NodePtr& access, const Point& p) const {
  Point first = p;
  if (lanes_ && first[*lanes_] == everywhere) first[*lanes_] = 0;
  const auto base = scalar(access->children[0], first);
  return access->kind == Kind::Unary ? base : binary("+", base, scalar(index_value(access), first));
}

NodePtr TileRewrite::wide_load(const NodePtr& e, const Point& p) {
  if (!is_memory_access(e, symbols_)) {
    const auto root = root_name(e);
    const auto held = root ? holdings_.find(root->text) : holdings_.end();
    const bool whole = is(e, Kind::Index) && held != holdings_.end() && held->second.axes[*lanes_] == Held::Vector &&
                       !varies_along_lanes(index_value(e)) && !e->type.is_array();
    return whole ? scalar(e, p) : lane_by_lane(e, p);
  }
  if (!e->type.is_number() || e->type.scalar == Scalar::Half) return lane_by_lane(e, p);
  const Change where = variances_[*lanes_].of_address(e);
  const auto width = tile_.axes[*lanes_].factor;
  const auto together = [&] {
    return call("vload" + std::to_string(width), {int_literal(0), address(e, p)}, widened(e->type));
  };
  if (where.kind == Change::Kind::Linear && where.step == 1) return together();
  if (where.kind != Change::Kind::Clamped || !is(e, Kind::Index)) return lane_by_lane(e, p);
  // A clamped index moves by at most one, so its ends tell whether every step was taken.
  Point first = p, last = p;
  first[*lanes_] = 0;
  last[*lanes_] = width - 1;
  const auto apart = binary("-", scalar(index_value(e), last), scalar(index_value(e), first));
  return select(binary("==", apart, int_literal(width - 1)), together(), lane_by_lane(e, p));
}

}  // namespace hone::rules
