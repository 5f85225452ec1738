#include "rules/shared_turns.hpp"

#include <algorithm>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/axis_loops.hpp"
#include "rules/counted.hpp"
#include "rules/own_names.hpp"
#include "rules/whole_rows.hpp"

namespace hone::rules {
using namespace ir;

namespace {

/// Each makes a copy of a loop; kernels have few loops of the kind, one inside the other hardly ever.
constexpr int most_loops = 4;

/// Two copies for each work-item of the tile are made of it.
constexpr std::size_t largest_window = 1000;

enum class Apart { Nowhere, Starts, Ends, Window };

/// What both the start and the end of a window move with: of max(i - r, 0) it is i - r. Null when there is none.
NodePtr moving_part(const NodePtr& e, const Variance& variance, const Symbols& symbols) {
  const Change change = variance.of(e);
  const bool counts = e->type.is_integer() && e->type.is_signed() && e->type.lanes == 1 && size_of(e->type) >= 4;
  if (change.kind == Change::Kind::Linear && change.step > 0 && !change.wraps && counts)
    return is_pure(e) && !touches_memory(e, symbols) ? e : nullptr;
  if (change.kind != Change::Kind::Clamped) return nullptr;
  if (is(e, Kind::Name)) {
    const auto made = variance.definition(e->text);
    return made ? moving_part(made, variance, symbols) : nullptr;
  }
  for (const auto& child : e->children)
    if (auto found = moving_part(child, variance, symbols)) return found;
  return nullptr;
}

/// By as much as `step` at each work-item, or by less where it is cut off, and never back.
bool moves_along(const Change& change, long long step) {
  if (change.wraps) return false;
  return change.kind == Change::Kind::Linear ? change.step == step : change.kind == Change::Kind::Clamped && step == 1;
}

/// A loop whose turns differ within the tile, and how.
class Turns {
 public:
  Turns(const NodePtr& loop, const std::vector<Axis>& axes, const std::vector<Variance>& variances,
        const Symbols& symbols)
      : loop_(loop), axes_(axes), variances_(variances), symbols_(symbols), counted_(counted(loop)) {}

  Apart apart() const {
    if (!counted_ || counted_->step != 1 || size_of(counted_->type) < 4) return Apart::Nowhere;
    if (has_barrier(loop_) || contains_verbatim(loop_) || !is_pure(counted_->begin) || !is_pure(end()))
      return Apart::Nowhere;
    if (declared(for_body(loop_)).count(counted_->name) != 0) return Apart::Nowhere;
    bool starts = false, ends = false, even = true;
    for (const auto& variance : variances_) {
      const Change from = variance.of(counted_->begin), to = variance.of(end());
      even = even && from.even() && !from.wraps && to.even() && !to.wraps;
      starts = starts || !from.uniform();
      ends = ends || !to.uniform();
    }
    if (starts && ends) return may_be_copied() && window() && steady() ? Apart::Window : Apart::Nowhere;
    if (!even || !(starts || ends)) return Apart::Nowhere;
    // A negative number taken for an unsigned one is large, and the latest is then not the last.
    if (starts) return begin()->type.is_signed() && !counted_->type.is_signed() ? Apart::Nowhere : Apart::Starts;
    const bool as_unsigned = end()->type.is_signed() && !common_type(counted_->type, end()->type).is_signed();
    return as_unsigned || size_of(end()->type) < 4 || !steady() ? Apart::Nowhere : Apart::Ends;
  }

  /// Of a window: what it moves with.
  NodePtr window() const {
    const Variance* along = nullptr;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      if (axes_[a].loop == loop_) return nullptr;
      if (variances_[a].of(begin()).uniform() && variances_[a].of(end()).uniform()) continue;
      if (along || axes_[a].loop) return nullptr;
      along = &variances_[a];
    }
    const auto fits = [&](const Type& type) { return type.is_signed() && size_of(type) <= size_of(counted_->type); };
    if (!along || !counted_->type.is_signed() || !fits(begin()->type) || !fits(end()->type)) return nullptr;
    const auto place = moving_part(begin(), *along, symbols_);
    if (!place || !fits(place->type)) return nullptr;
    const auto step = along->of(place).step;
    return moves_along(along->of(begin()), step) && moves_along(along->of(end()), step) ? place : nullptr;
  }

 private:
  const NodePtr& begin() const { return counted_->begin; }
  const NodePtr& end() const { return right(for_condition(loop_)); }

  /// Copies of loops with loops in them, each of which is copied too, take longer to build than they could win back.
  bool may_be_copied() const {
    return size_of_tree(loop_) <= largest_window && find_all(for_body(loop_), Kind::For).empty();
  }

  /// The end is asked before the loop and the start after it, so that the loop itself may change neither.
  bool steady() const {
    const auto changed = written(loop_), inside = declared(loop_);
    auto used = read(begin());
    used.merge(read(end()));
    if (const auto place = window()) used.merge(read(place));
    const bool moves = std::any_of(used.begin(), used.end(),
                                   [&](const std::string& n) { return changed.count(n) + inside.count(n) != 0; });
    return !moves && end()->type.is_integer() && !touches_memory(begin(), symbols_) && !touches_memory(end(), symbols_);
  }

  NodePtr loop_;
  const std::vector<Axis>& axes_;
  const std::vector<Variance>& variances_;
  const Symbols& symbols_;
  std::optional<Counted> counted_;
};

class Sharing {
 public:
  Sharing(const NodePtr& function, std::vector<Axis>& axes, std::set<std::string> taken)
      : whole_(function), axes_(axes), taken_(std::move(taken)) {}

  SharedTurns run() {
    share();
    whole_ = with_whole_rows(whole_, axes_, out_, taken_);
    share();  // where what a loop starts from is now known to be the same for all, or one apart
    out_.body = body_of(whole_)->children;
    return std::move(out_);
  }

 private:
  void share() {
    for (int made = 0; made < most_loops && next(); ++made) {
    }
  }

  bool next() {
    const Symbols symbols(whole_);
    std::vector<Variance> variances;
    variances.reserve(axes_.size());
    for (const auto& axis : axes_) variances.emplace_back(body_of(whole_), symbols, axis);
    NodePtr loop;
    Apart how = Apart::Nowhere;
    visit(body_of(whole_), [&](const NodePtr& n) {
      if (loop || is_expression(*n) || out_.goes_alone(n)) return false;
      if (is(n, Kind::For) && !out_.holds_limits(n)) how = Turns(n, axes_, variances, symbols).apart();
      if (how != Apart::Nowhere) loop = n;
      return !loop;
    });
    if (how == Apart::Starts) share_from(loop);
    if (how == Apart::Ends) share_up_to(loop);
    if (how == Apart::Window) {
      const auto c = *counted(loop);
      const bool whole = std::all_of(variances.begin(), variances.end(), [&](const Variance& v) {
        return v.of(c.begin).even() && v.of(right(for_condition(loop))).even();
      });
      share_window(loop, Turns(loop, axes_, variances, symbols).window(), whole);
    }
    return loop != nullptr;
  }

  void share_from(const NodePtr& loop) {
    const auto c = *counted(loop);
    const auto from = limit(c.name, c.type, {c.begin, SharedLimit::Of::Latest});
    const auto own = copy(loop);
    const auto early = binary("&&", for_condition(own), binary("<", counter(own), from));
    const auto together = with_child(loop, 0, declare(c.type, c.name, from));
    put(loop, together, {declare(from->type, from->text), with_child(own, 1, early), together});
  }

  void share_up_to(const NodePtr& loop) {
    const auto c = *counted(loop);
    const auto& condition = for_condition(loop);
    const auto to = limit(c.name, right(condition)->type, {right(condition), SharedLimit::Of::Earliest});
    const auto together = with_child(loop, 1, binary(condition->text, left(condition), to));
    const auto own = copy(loop);
    const auto counted_as = [&](const NodePtr& e) { return alike(e->type, c.type) ? e : cast(c.type, e); };
    const auto begin = counted_as(c.begin);
    const auto behind = counted_as(condition->text == "<" ? to : binary("+", to, int_literal(1)));
    const auto late = select(binary(condition->text, begin, to), behind, begin);
    put(loop, together,
        {declare(to->type, to->text), together, with_child(own, 0, declare(c.type, counter(own)->text, late))});
  }

  /// `whole`: all of them make the same turns, counted from where they are.
  void share_window(const NodePtr& loop, const NodePtr& window, bool whole) {
    const auto c = *counted(loop);
    const auto& condition = for_condition(loop);
    Type type = c.type;
    type.is_const = false;
    const auto place = alike(window->type, type) ? window : cast(type, window);
    const auto from = limit(c.name, type, {binary("-", c.begin, place), SharedLimit::Of::First});
    const auto to = limit(c.name, type, {binary("-", right(condition), place), SharedLimit::Of::Last});
    Type fixed = type;
    fixed.is_const = true;
    const auto at = name(fresh_name(c.name + "_place", taken_), type);
    Nodes body = {declare(fixed, c.name, binary("+", at, place))};
    for (const auto& s : is(for_body(loop), Kind::Block) ? for_body(loop)->children : Nodes{for_body(loop)})
      body.push_back(s);
    const auto together = for_loop(declare(type, at->text, from), binary(condition->text, at, to), unary("post++", at),
                                   block(std::move(body)));
    if (whole) return put(loop, together, {declare(type, from->text), declare(type, to->text), together});
    const auto before = copy(loop), behind = copy(loop);
    const auto early = binary("&&", for_condition(before), binary("<", counter(before), binary("+", from, place)));
    const auto next = condition->text == "<" ? to : binary("+", to, int_literal(1));
    const auto late = binary("+", select(binary("<", from, next), next, from), place);
    // Where nothing is cut off, nobody has turns of its own: asked once, not by each.
    const auto least = limit(c.name, type, {binary("-", c.begin, place), SharedLimit::Of::Last});
    const auto most = limit(c.name, type, {binary("-", right(condition), place), SharedLimit::Of::First});
    Nodes all;
    for (const auto& held : {from, to, least, most}) all.push_back(declare(type, held->text));
    all.push_back(if_then_else(binary("<", least, from), block({with_child(before, 1, early)})));
    all.push_back(together);
    all.push_back(if_then_else(binary("<", to, most),
                               block({with_child(behind, 0, declare(type, counter(behind)->text, late))})));
    put(loop, together, std::move(all));
  }

  NodePtr limit(const std::string& counter, Type type, const SharedLimit& value) {
    type.is_const = false;
    const auto held = fresh_name(counter + "_shared", taken_);
    out_.limits[held] = value;
    return name(held, type);
  }

  /// With names of its own, the counter's among them.
  NodePtr copy(const NodePtr& loop) {
    auto own = own_names({loop}, declared(loop), taken_, "_alone").front();
    out_.alone.insert(counter(own)->text);
    return own;
  }

  static NodePtr counter(const NodePtr& loop) {
    const auto& v = for_init(loop)->children.front();
    return name(v->text, v->type);
  }

  void put(const NodePtr& loop, const NodePtr& together, Nodes statements) {
    whole_ = with_loop_in_place(whole_, axes_, loop, together, std::move(statements));
  }

  NodePtr whole_;
  std::vector<Axis>& axes_;
  std::set<std::string> taken_;
  SharedTurns out_;
};

}  // namespace

bool SharedTurns::goes_alone(const NodePtr& loop) const {
  return is(loop, Kind::For) && is(for_init(loop), Kind::Declare) &&
         alone.count(for_init(loop)->children.front()->text) != 0;
}

bool SharedTurns::holds_limits(const NodePtr& node) const {
  return any_of(node, [&](const NodePtr& n) { return n->kind == Kind::Variable && limits.count(n->text) != 0; });
}

bool SharedTurns::goes_two_ways(const NodePtr& branch) const {
  return is(branch, Kind::If) && if_else(branch) && any_of(if_condition(branch), [&](const NodePtr& n) {
           return is(n, Kind::Name) && limits.count(n->text) != 0;
         });
}

SharedTurns with_shared_turns(const NodePtr& function, std::vector<Axis>& axes, std::set<std::string> taken) {
  return Sharing(function, axes, std::move(taken)).run();
}

}  // namespace hone::rules
