// Branches that differ from lane to lane and do nothing but set what a work-item holds: every lane computes both ways
// and keeps what it would have had.
//
//   if (d < best) {                    ->     const int4 where = d < best;
//     best = d;                               best = select(best, d, where);
//     at = k;                                 at = select(at, (int4)(k), where);
//   }
//
// Only what harms nobody is computed for those who would not have: no loads, no integer division, no calls but of
// elementwise builtins.

#include <algorithm>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/normal.hpp"
#include "rules/tile.hpp"

namespace hone::rules {
using namespace ir;

namespace {

constexpr int most_updates = 32;

struct Update {
  NodePtr target, value;
};

/// x = e, x += e, x++ on a variable as what x is afterwards.
std::optional<Update> update_of(const NodePtr& s) {
  if (!is(s, Kind::ExpressionStatement)) return std::nullopt;
  const auto& e = s->children[0];
  if (is(e, Kind::Assign) && is(left(e), Kind::Name)) {
    if (e->text == "=") return Update{left(e), right(e)};
    return Update{left(e), binary(e->text.substr(0, e->text.size() - 1), left(e), right(e))};
  }
  const bool up = is(e, Kind::Unary) && e->text.ends_with("++"), down = is(e, Kind::Unary) && e->text.ends_with("--");
  if ((up || down) && is(operand(e), Kind::Name))
    return Update{operand(e), binary(up ? "+" : "-", operand(e), int_literal(1))};
  return std::nullopt;
}

}  // namespace

struct TileRewrite::Masked {
  std::set<std::string> locals;   // declared in a branch
  std::set<std::string> targets;  // declared before it
  int updates = 0;
  std::vector<std::size_t> axes;  // along which some condition differs
};

bool TileRewrite::can_be_masked_list(const Nodes& statements, Masked& m) const {
  std::set<std::string> here;
  for (const auto& s : statements) {
    if (is(s, Kind::Empty)) continue;
    if (is(s, Kind::Declare)) {
      for (const auto& v : s->children) {
        const bool number =
            v->type.is_number() && v->type.scalar != Scalar::Half && v->type.space == AddressSpace::Private;
        if (!number || !v->qualifiers.empty() || holdings_.count(v->text) != 0 || m.locals.count(v->text) != 0)
          return false;
        if (value_of(v) && !is_harmless(value_of(v), symbols_)) return false;
        m.locals.insert(v->text);
        here.insert(v->text);
      }
      continue;
    }
    if (is(s, Kind::If)) {
      if (!can_be_masked(s, m)) return false;
      continue;
    }
    if (is(s, Kind::Block)) {
      if (!can_be_masked_list(s->children, m)) return false;
      continue;
    }
    const auto update = update_of(s);
    if (!update || !update->target->type.is_number() || !is_harmless(update->value, symbols_)) return false;
    if (++m.updates > most_updates) return false;
    const auto& to = update->target->text;
    if (here.count(to) != 0) continue;
    if (m.locals.count(to) != 0) return false;  // set in a branch inside the one that declares it
    const auto held = holdings_.find(to);
    if (held == holdings_.end() || held->second.axes[*lanes_] != Held::Vector || held->second.type.is_array())
      return false;
    m.targets.insert(to);
  }
  return true;
}

bool TileRewrite::can_be_masked(const NodePtr& s, Masked& m) const {
  if (!is_harmless(if_condition(s), symbols_)) return false;
  for (const auto a : axes_of(if_condition(s)))
    if (std::find(m.axes.begin(), m.axes.end(), a) == m.axes.end()) m.axes.push_back(a);
  return can_be_masked_list(statements_of(if_then(s)), m) &&
         (!if_else(s) || can_be_masked_list(statements_of(if_else(s)), m));
}

std::optional<Nodes> TileRewrite::as_selects(const NodePtr& s) {
  if (!lanes_free() || !varies_along_lanes(if_condition(s))) return std::nullopt;
  Masked m;
  if (!can_be_masked(s, m) || m.updates == 0) return std::nullopt;
  std::sort(m.axes.begin(), m.axes.end());
  // A variable that is one for several of those who decide apart cannot be decided for each.
  for (const auto& target : m.targets)
    for (const auto a : m.axes) {
      const Held how = holdings_.at(target).axes[a];
      if (how != Held::Copies && how != Held::Vector) return std::nullopt;
    }
  const auto outside = holdings_;
  auto out = masked(s, {}, m);
  holdings_ = outside;
  if (out.size() == 1) return out;
  return Nodes{block(std::move(out))};
}

/// One mask for each place along the axes on which conditions differ, in the order of points().
Nodes TileRewrite::masked(const NodePtr& s, const std::vector<NodePtr>& outer, const Masked& m) {
  const auto places = points(m.axes, false);
  const auto one = if_else(s) || !outer.empty() ? std::nullopt : std::optional(statements_of(if_then(s)));
  const bool asked_once = one && one->size() == 1 && update_of(one->front());
  Nodes out;
  std::vector<NodePtr> yes, no;
  for (std::size_t i = 0; i < places.size(); ++i) {
    auto where = mask(if_condition(s), places[i]);
    if (!asked_once) {
      const auto held = fresh_name("where", taken_);
      Type type = widened(int_type());
      type.is_const = true;
      where = mask_as(where, int_type());
      out.push_back(declare(type, held, where));
      where = name(held, widened(int_type()));
    }
    no.push_back(unary("~", where));
    yes.push_back(where);
    if (outer.empty()) continue;
    yes.back() = binary("&", outer[i], yes.back());
    no.back() = binary("&", outer[i], no.back());
  }
  for (const auto& part : {if_then(s), if_else(s)}) {
    if (!part) continue;
    const auto done = masked_list(statements_of(part), part == if_then(s) ? yes : no, m);
    out.insert(out.end(), done.begin(), done.end());
  }
  return out;
}

Nodes TileRewrite::masked_list(const Nodes& statements, const std::vector<NodePtr>& masks, const Masked& m) {
  const auto places = points(m.axes, false);
  Nodes out;
  for (const auto& s : statements) {
    Nodes done;
    if (is(s, Kind::Empty)) continue;
    if (is(s, Kind::Declare)) {
      for (const auto& v : s->children) {
        const auto declared = declaration(v);
        done.insert(done.end(), declared.begin(), declared.end());
      }
    } else if (is(s, Kind::If)) {
      done = masked(s, masks, m);
    } else if (is(s, Kind::Block)) {
      done = masked_list(s->children, masks, m);
    } else {
      const auto update = *update_of(s);
      if (m.locals.count(update.target->text) != 0) {
        done = effect(s);
      } else {
        const auto& held = holdings_.at(update.target->text);
        std::vector<std::size_t> axes;
        for (std::size_t a = 0; a < pins_.size(); ++a)
          if (free(a) && (held.axes[a] == Held::Copies || held.axes[a] == Held::Vector)) axes.push_back(a);
        Type lane = held.type;
        for (const auto& p : points(axes, false)) {
          const auto place = std::find_if(places.begin(), places.end(), [&](const Point& q) {
            return std::all_of(m.axes.begin(), m.axes.end(), [&](std::size_t a) { return q[a] == p[a]; });
          });
          const auto to = scalar(update.target, p);
          const auto value = converted(wide(update.value, p), lane);
          const auto where = mask_as(masks[static_cast<std::size_t>(place - places.begin())], lane);
          done.push_back(assign_statement(to, call("select", {to, value, where}, widened(lane))));
        }
      }
    }
    out.insert(out.end(), done.begin(), done.end());
  }
  return out;
}

}  // namespace hone::rules
