// Loops: the same turns for all, turns that end at different times, and loops whose iterations are taken together.

#include <algorithm>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/counted.hpp"
#include "rules/tile.hpp"

namespace hone::rules {
using namespace ir;

namespace {

void add(Nodes& to, const Nodes& from) { to.insert(to.end(), from.begin(), from.end()); }

/// `i++, j += 2` as statements.
Nodes each_of(const NodePtr& e) {
  if (is(e, Kind::Empty)) return {};
  if (!is(e, Kind::Binary, ",")) return {expression_statement(e)};
  auto out = each_of(left(e));
  add(out, each_of(right(e)));
  return out;
}

bool goes_in_step(const NodePtr& s) {
  if (s->kind != Kind::For && s->kind != Kind::While) return false;
  const auto& condition = s->kind == Kind::For ? for_condition(s) : s->children[0];
  return !is(condition, Kind::Empty) && is_pure(condition) && !has_barrier(s) && !jumps_out(body_of(s));
}

}  // namespace

Nodes TileRewrite::loop(const NodePtr& s) {
  const auto axes = free_axes([&](const Variance& v) { return v.loop_varies(s); });
  if (!axes.empty() && turns_.goes_alone(s)) return one_by_one(s, axes, turns_of_its_own);
  if (!axes.empty() && lanes_ && axes.size() == 1 && axes.front() == *lanes_ && goes_in_step(s)) return in_step(s);
  if (!axes.empty()) {
    auto others = axes;
    if (goes_in_step(s) && axes.size() > 1)
      std::erase_if(others, [&](std::size_t a) { return lanes_ && a == *lanes_; });
    return one_by_one(s, others, "a loop");
  }
  std::vector<std::size_t> mine;
  for (std::size_t a = 0; a < pins_.size(); ++a)
    if (tile_.axes[a].loop == s && s->kind == Kind::For) mine.push_back(a);
  if (!mine.empty() && !in_rest_) return taken_together(s, mine);
  const auto outside = holdings_;
  Nodes out;
  if (s->kind == Kind::For) {
    Nodes init = is(for_init(s), Kind::Empty) ? Nodes{for_init(s)} : Nodes{};
    for (const auto& v : is(for_init(s), Kind::Declare) ? for_init(s)->children : Nodes{}) add(init, declaration(v));
    if (is(for_init(s), Kind::ExpressionStatement)) init = effect(for_init(s));
    if (init.size() > 1 && is(init.front(), Kind::Declare)) {
      Nodes variables;
      for (const auto& d : init) variables.push_back(d->children.front());
      init = {declare_all(std::move(variables))};
    }
    if (init.size() != 1) decline("a loop header that starts several variables");
    if (reason_.empty())
      out = {for_loop(init.front(), scalar(for_condition(s), origin()), scalar(for_step(s), origin()),
                      scoped(for_body(s), false))};
  } else if (s->kind == Kind::While) {
    out = {while_loop(scalar(s->children[0], origin()), scoped(s->children[1], false))};
  } else if (s->kind == Kind::DoWhile) {
    out = {do_while(scoped(s->children[0], false), scalar(s->children[1], origin()))};
  } else {
    const auto all = free_axes([](const Variance&) { return true; });
    out = all.empty() ? Nodes{scalar(s, origin())} : one_by_one(s, all, "a switch");
  }
  holdings_ = outside;
  return out;
}

/// A loop whose end differs from lane to lane: together while all go on, then each finishes alone.
Nodes TileRewrite::in_step(const NodePtr& s) {
  const bool is_for = s->kind == Kind::For;
  const auto& condition = is_for ? for_condition(s) : s->children[0];
  const auto steps = is_for ? each_of(for_step(s)) : Nodes{};
  const auto width = tile_.axes[*lanes_].factor;
  if (size_of_tree(s) * static_cast<std::size_t>(width + 1) > largest_tree / 2) {
    decline("the work-items of the tile part ways in too large a loop");
    return {};
  }
  const auto outside = holdings_;
  Nodes out;
  if (is_for && is(for_init(s), Kind::Declare))
    for (const auto& v : for_init(s)->children) add(out, declaration(v));
  else if (is_for && is(for_init(s), Kind::ExpressionStatement))
    for (const auto& start : each_of(for_init(s)->children[0])) add(out, effect(start));
  const auto turn = [&] {
    Nodes statements = {scoped(body_of(s), false)};
    for (const auto& step : steps) add(statements, effect(step));
    return block(std::move(statements));
  };
  const auto all = when_all(condition);
  if (!all) {
    decline("the bounds of a loop depend on " + along(*lanes_));
    return {};
  }
  out.push_back(while_loop(*all, turn()));
  const auto pins = pins_;
  const auto together = holdings_;
  for (int l = 0; l < width; ++l) {
    pins_[*lanes_] = l;
    const auto c = is_for ? counted(s) : std::nullopt;
    if (!c || together.at(c->name).axes[*lanes_] == Held::Vector) {
      out.push_back(while_loop(scalar(condition, origin()), turn()));
      continue;
    }
    // The counter is one for all lanes: each goes on from where it stands, on a counter of its own.
    const auto from = fresh_name(c->name + "_from", taken_);
    Type type = c->type;
    type.is_const = false;
    Nodes alone = {declare(type, from, scalar(name(c->name, c->type), origin()))};
    auto& held = holdings_.at(c->name);
    held.axes.assign(held.axes.size(), Held::Fixed);
    alone.push_back(for_loop(declare(type, c->name, name(from, type)), scalar(condition, origin()),
                             scalar(for_step(s), origin()), scoped(body_of(s), false)));
    holdings_ = together;
    out.push_back(block(std::move(alone)));
  }
  pins_ = pins;
  holdings_ = outside;
  return {block(std::move(out))};
}

/// The iterations of a loop, several at once; what is left over goes one by one after them.
Nodes TileRewrite::taken_together(const NodePtr& s, const std::vector<std::size_t>& axes) {
  const auto c = *counted(s);
  const auto outside = holdings_;
  const auto counter = name(c.name, c.type);
  Nodes out = declaration(for_init(s)->children[0]);
  const auto& condition = for_condition(s);
  long long together = c.step;
  Point last = origin();
  const Holding alone = holdings_.at(c.name);
  Holding steps = alone;
  for (const auto a : axes) {
    pins_[a] = -1;
    last[a] = tile_.axes[a].factor - 1;
    together *= tile_.axes[a].factor;
    steps.axes[a] = Held::Step;
    steps.steps[a] = variances_[a].of_variable(c.name).step;
  }
  holdings_[c.name] = steps;
  const auto all = binary(condition->text, scalar(left(condition), last), scalar(right(condition), origin()));
  out.push_back(for_loop(empty(), all, assign(counter, int_literal(together), "+="), scoped(for_body(s), false)));
  for (const auto a : axes) pins_[a] = 0;
  holdings_[c.name] = alone;
  in_rest_ = true;
  out.push_back(
      for_loop(empty(), scalar(condition, origin()), scalar(for_step(s), origin()), scoped(for_body(s), false)));
  in_rest_ = false;
  holdings_ = outside;
  return {block(std::move(out))};
}

}  // namespace hone::rules
