// What the iterations of a loop have added up apart, put together after it: several copies first, then the lanes.

#include <algorithm>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/tile.hpp"

namespace hone::rules {
using namespace ir;

namespace {

/// Of `sum += part` and `best = fmax(best, part)`: what both sides become for these two.
NodePtr two_together(const NodePtr& e, const std::string& part, const NodePtr& a, const NodePtr& b) {
  if (e->text != "=") return binary(e->text.substr(0, e->text.size() - 1), a, b);
  return substitute(right(e), {{left(e)->text, a}, {part, b}});
}

/// In pairs, so that one does not wait for all others.
NodePtr all_together(const NodePtr& e, const std::string& part, Nodes each) {
  while (each.size() > 1) {
    Nodes next;
    for (std::size_t i = 0; i + 1 < each.size(); i += 2) next.push_back(two_together(e, part, each[i], each[i + 1]));
    if (each.size() % 2 != 0) next.push_back(each.back());
    each = std::move(next);
  }
  return each.front();
}

/// So many lanes of a vector.
NodePtr lanes_of(const NodePtr& vector, int first, int count) {
  return member(
      vector,
      "s" + std::string("0123456789abcdef").substr(static_cast<std::size_t>(first), static_cast<std::size_t>(count)));
}

bool compares(const NodePtr& e) { return e->text == "=" && is(right(e), Kind::Select); }

}  // namespace

/// The part that the statement adds to what it is a part of; "" for other statements.
std::string TileRewrite::part_in(const NodePtr& s) const {
  const auto e = assignment_of(s);
  if (!e || !is(left(e), Kind::Name)) return {};
  for (const auto& [part, known] : parts_.by_name)
    if (known.of == left(e)->text && any_of(right(e), [&](const NodePtr& n) { return is(n, Kind::Name, part); }))
      return part;
  return {};
}

/// Every part there is at this place of the other axes; what must be computed for them first goes to `before`.
Nodes TileRewrite::each_part(const NodePtr& e, const std::string& part, const Point& p, Nodes& before) {
  const auto& own = parts_.by_name.at(part).axes;
  const Holding& held = holdings_.at(part);
  const bool lanes = lanes_ && std::find(own.begin(), own.end(), *lanes_) != own.end();
  const auto whole = name(part, held.type);
  Nodes out;
  for (auto& place : places_along(own, p)) {
    if (lanes) place[*lanes_] = everywhere;
    out.push_back(lanes ? scalar(whole, place) : expression(whole, place));
  }
  if (!lanes) return out;
  if (!compares(e)) {
    if (out.size() > 1) out = {kept(all_together(e, part, out), widened(held.type), part + "s", before)};
    while (out.front()->type.lanes > 2) {
      Type half = out.front()->type;
      half.lanes /= 2;
      const auto both =
          two_together(e, part, lanes_of(out.front(), 0, half.lanes), lanes_of(out.front(), half.lanes, half.lanes));
      out = {kept(both, half, part + "_half", before)};
    }
  }
  Nodes each;
  for (const auto& vector : out)
    for (int l = 0; l < vector->type.lanes; ++l) each.push_back(lanes_of(vector, l, 1));
  return each;
}

/// A name for the value, which is computed once.
NodePtr TileRewrite::kept(const NodePtr& value, Type type, const std::string& wish, Nodes& before) {
  const auto held = name(fresh_name(wish, taken_), type);
  type.is_const = true;
  before.push_back(declare(type, held->text, value));
  return held;
}

/// One place for each that is merged along these axes.
std::vector<Point> TileRewrite::places_along(const std::vector<std::size_t>& axes, const Point& p) const {
  std::vector<Point> out = {p};
  for (const auto a : axes) {
    if (lanes_ && a == *lanes_) continue;
    std::vector<Point> next;
    for (const auto& place : out)
      for (int i = 0; i < tile_.axes[a].factor; ++i) {
        next.push_back(place);
        next.back()[a] = i;
      }
    out = std::move(next);
  }
  return out;
}

Nodes TileRewrite::added_up(const NodePtr& s, const std::string& part) {
  const auto& e = s->children[0];
  const auto found = holdings_.find(left(e)->text);
  if (found == holdings_.end() || holdings_.count(part) == 0) {
    decline(left(e)->text + ", which a loop adds up, is not a variable of the kernel");
    return {};
  }
  const Holding held = found->second;
  std::vector<std::size_t> axes;
  for (std::size_t a = 0; a < held.axes.size(); ++a)
    if (free(a) && (held.axes[a] == Held::Copies || held.axes[a] == Held::Vector)) axes.push_back(a);
  Nodes out;
  for (const auto& p : points(axes, compares(e))) {
    const auto to = scalar(left(e), p);
    const auto each = each_part(e, part, p, out);
    if (compares(e)) {
      for (const auto& one : each) out.push_back(assign_statement(to, two_together(e, part, to, one)));
      continue;
    }
    const auto all = all_together(e, part, each);
    out.push_back(e->text == "=" ? assign_statement(to, two_together(e, part, to, all))
                                 : assign_statement(to, all, e->text));
  }
  return out;
}

}  // namespace hone::rules
