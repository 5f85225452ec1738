// When all work-items of a tile agree on a condition. What is built here may hold less often than the truth, never
// more: where it fails, they go one by one.

#include <algorithm>

#include "ir/build.hpp"
#include "rules/normal.hpp"
#include "rules/tile.hpp"

namespace hone::rules {
using namespace ir;

namespace {

NodePtr both(const NodePtr& a, const NodePtr& b) { return a ? binary("&&", a, b) : b; }

}  // namespace

std::optional<NodePtr> TileRewrite::when_all(const NodePtr& c) {
  if (axes_of(c).empty()) return scalar(c, origin());
  if (is(c, Kind::Binary, "&&")) {
    const auto a = when_all(left(c)), b = when_all(right(c));
    return a && b ? std::optional(binary("&&", *a, *b)) : std::nullopt;
  }
  if (is(c, Kind::Binary, "||")) {
    // Asking the right side of everyone is allowed only where that does no harm.
    if (!is_harmless(right(c), symbols_)) return std::nullopt;
    const auto a = when_all(left(c)), b = when_all(right(c));
    if (a && b) return binary("||", *a, *b);
    return a ? a : b;
  }
  if (is(c, Kind::Unary, "!") && !is(negated(operand(c)), Kind::Unary)) return when_all(negated(operand(c)));
  if (is(c, Kind::Binary, "!=") && axes_of(c).size() == 1)
    if (auto apart = when_all_differ(c)) return apart;
  return when_all_compare(c);
}

/// a != b for everyone when b lies before the first or behind the last of the steps a takes.
std::optional<NodePtr> TileRewrite::when_all_differ(const NodePtr& c) {
  const auto axis = axes_of(c).front();
  const Change l = variances_[axis].of(left(c)), r = variances_[axis].of(right(c));
  if (l.kind != Change::Kind::Linear || l.wraps || l.step < 0 || !r.uniform() || !right(c)->type.is_integer())
    return std::nullopt;
  Point last = origin();
  last[axis] = tile_.axes[axis].factor - 1;
  const auto limit = scalar(right(c), origin());
  return binary("||", binary(">", scalar(left(c), origin()), limit), binary("<", scalar(left(c), last), limit));
}

/// Along axes where the difference of the two sides moves by a constant step, the worst place decides for all.
std::optional<NodePtr> TileRewrite::when_all_compare(const NodePtr& c) {
  const bool ordered = is(c, Kind::Binary) && (c->text[0] == '<' || c->text[0] == '>') && c->text != "<<" &&
                       c->text != ">>" && left(c)->type.is_integer() && right(c)->type.is_integer();
  const bool equal = is(c, Kind::Binary, "==");
  // A negative number compared as an unsigned one is large. Below a limit are then those from 0 on, so that the least
  // must be asked as well; above it are two stretches, and everyone is asked.
  const bool as_unsigned = ordered && !common_type(left(c)->type, right(c)->type).is_signed();
  const auto may_turn = [&](const NodePtr& side) {
    return as_unsigned && side->type.is_signed() && !axes_of(side).empty();
  };
  const bool ends = as_unsigned && may_turn(c->text[0] == '<' ? left(c) : right(c));
  const bool apart = as_unsigned && may_turn(c->text[0] == '<' ? right(c) : left(c));
  std::vector<std::size_t> each;
  Point worst = origin(), best = origin();
  for (const auto a : axes_of(c)) {
    std::optional<long long> step;
    if (is(c, Kind::Binary)) {
      const Change l = variances_[a].of(left(c)), r = variances_[a].of(right(c));
      if (l.even() && !l.wraps && r.even() && !r.wraps) step = l.step - r.step;
    }
    if (step && equal && left(c)->type.is_integer()) return std::nullopt;  // neighbours never agree on equality
    if (step && ordered && !apart) {
      const bool last = c->text[0] == '<' ? *step > 0 : *step < 0;
      worst[a] = last ? tile_.axes[a].factor - 1 : 0;
      best[a] = last ? 0 : tile_.axes[a].factor - 1;
    } else {
      each.push_back(a);
    }
  }
  NodePtr out;
  const auto hold_at = [&](const Point& place) {
    for (Point p : points(each, false)) {
      for (std::size_t a = 0; a < p.size(); ++a)
        if (std::find(each.begin(), each.end(), a) == each.end()) p[a] = place[a];
      const bool vector = lanes_ && p[*lanes_] == everywhere;
      out = both(out, vector ? call("all", {mask(c, p)}, int_type()) : scalar(c, p));
    }
  };
  if (ends && best != worst) hold_at(best);
  hold_at(worst);
  return out;
}

}  // namespace hone::rules
