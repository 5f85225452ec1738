#include "rules/tile.hpp"

#include <algorithm>
#include <map>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/loop_axis.hpp"
#include "rules/normal.hpp"

namespace hone::rules {
using namespace ir;

namespace {

void append(Nodes& to, const Nodes& from) { to.insert(to.end(), from.begin(), from.end()); }

/// A declaration that the tile leaves alone keeps its own bytes: `partial[BLOCK]` must not become `partial[256]`.
bool is_as_before(const NodePtr& declaration, const Nodes& made) {
  const auto& variables = declaration->children;
  return std::equal(variables.begin(), variables.end(), made.begin(), made.end(),
                    [](const NodePtr& v, const NodePtr& one) { return same(v, one->children.front()); });
}

}  // namespace

TileRewrite::TileRewrite(const Unit& unit, const NodePtr& function, const Nodes& body, const SharedTurns& turns,
                         const Parts& parts, const Tile& tile, Narrower narrower)
    : unit_(unit),
      function_(function),
      body_(body),
      turns_(turns),
      parts_(parts),
      tile_(tile),
      narrower_(std::move(narrower)),
      symbols_(function),
      pins_(tile.axes.size(), -1),
      taken_(identifiers(unit.root)),
      barriers_(has_barrier(function)) {
  taken_.merge(identifiers(function));
  const auto whole = block(turns_.body);
  for (std::size_t a = 0; a < tile_.axes.size(); ++a) {
    const Axis& axis = tile_.axes[a];
    if (axis.lanes) lanes_ = a;
    variances_.emplace_back(whole, symbols_, axis);
    if (axis.loop) {
      pins_[a] = 0;  // until its loop is reached
      continue;
    }
    factors_.try_emplace(axis.dimension, 1);
    factors_[axis.dimension] *= axis.factor;
  }
}

NodePtr TileRewrite::decline(const std::string& reason) {
  if (reason_.empty()) reason_ = reason;
  return empty();
}

/// What moves along the axis, for people.
std::string TileRewrite::along(std::size_t axis) const {
  const auto& a = tile_.axes[axis];
  return a.loop ? for_init(a.loop)->children[0]->text : "get_global_id(" + std::to_string(a.dimension) + ")";
}

Result<NodePtr> TileRewrite::run() {
  auto statements = list(turns_.body, !barriers_);
  if (!reason_.empty()) return fail("E-DECLINED", reason_);
  auto body = block(std::move(statements));
  if (replays_)
    body = block([&] {
      Nodes with = body->children;
      with.push_back(replay());
      return with;
    }());
  else
    body = rewrite_statements(body, [](const NodePtr& s) { return is(s, Kind::Return) ? Nodes{} : Nodes{s}; });
  if (size_of_tree(body) > largest_tree) return fail("E-DECLINED", "the tile makes the kernel too long to build");
  Nodes children = function_->children;
  children.back() = body;
  return with_children(function_, std::move(children));
}

Nodes TileRewrite::list(const Nodes& statements, bool tail) {
  const auto outside = holdings_;
  Nodes out;
  falls_out_ = false;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const bool last = tail && i + 1 == statements.size();
    append(out, statement(statements[i], last));
    if (!is(statements[i], Kind::Declare) || !is_pure(statements[i])) pristine_ = pristine_ && last;
  }
  const bool falls_out = !statements.empty() && is(statements.back(), Kind::If) && falls_out_;
  if (tail && nesting_ > 0 && !falls_out) out.push_back(return_statement());
  holdings_ = outside;
  return out;
}

NodePtr TileRewrite::scoped(const NodePtr& body, bool tail) {
  ++nesting_;
  const bool before = pristine_;
  auto out = block(list(is(body, Kind::Block) ? body->children : Nodes{body}, tail));
  pristine_ = before;
  --nesting_;
  return out;
}

Nodes TileRewrite::statement(const NodePtr& s, bool tail) {
  switch (s->kind) {
    case Kind::Block: return {scoped(s, false)};
    case Kind::Declare: {
      Nodes out;
      for (const auto& v : s->children) append(out, declaration(v));
      return is_as_before(s, out) ? Nodes{s} : out;
    }
    case Kind::If: return branch(s, tail);
    case Kind::For:
    case Kind::While:
    case Kind::DoWhile:
    case Kind::Switch: return loop(s);
    case Kind::ExpressionStatement: return effect(s);
    case Kind::Barrier:
    case Kind::Break:
    case Kind::Continue:
    case Kind::Directive:
    case Kind::Empty: return {s};
    case Kind::Return: decline("a return stands inside a loop or between other statements"); return {};
    default:
      decline("a statement of a kind the rule does not know (" + std::string(kind_name(s->kind)) + ")");
      return {};
  }
}

/// Of those that are still together.
Nodes TileRewrite::shared_limit(const NodePtr& v) {
  const auto& limit = turns_.limits.at(v->text);
  Point chosen = origin();
  for (std::size_t a = 0; a < variances_.size(); ++a) {
    const auto step = variances_[a].of(limit.value).step;
    const bool last = limit.of == SharedLimit::Of::Latest     ? step > 0
                      : limit.of == SharedLimit::Of::Earliest ? step < 0
                                                              : limit.of == SharedLimit::Of::Last;
    if (free(a) && last) chosen[a] = tile_.axes[a].factor - 1;
  }
  holdings_[v->text] = {std::vector<Held>(variances_.size(), Held::Fixed), std::vector<long long>(variances_.size(), 0),
                        v->type};
  Type type = v->type;
  type.is_const = true;
  return {declare(type, v->text, scalar(limit.value, chosen))};
}

Nodes TileRewrite::declaration(const NodePtr& v) {
  if (turns_.limits.count(v->text) != 0) return shared_limit(v);
  const auto part = parts_.by_name.find(v->text);
  if (part == parts_.by_name.end()) return held_declaration(v);
  const auto pins = pins_;
  for (const auto a : part->second.axes) pins_[a] = -1;  // each iteration that goes with others has one
  auto out = held_declaration(v);
  pins_ = pins;
  return out;
}

Nodes TileRewrite::held_declaration(const NodePtr& v) {
  Holding held;
  held.type = v->type;
  held.type.is_const = false;
  const bool shared = v->type.space == AddressSpace::Local || v->type.space == AddressSpace::Constant;
  std::vector<std::size_t> spread_along;
  Type element = v->type;
  element.extents.clear();
  const bool fits = element.is_number();
  for (std::size_t a = 0; a < variances_.size(); ++a) {
    const Change change = shared ? Change{} : variances_[a].of_variable(v->text);
    const bool lane = lanes_ && a == *lanes_;
    Held how = Held::Fixed;
    if (free(a) && change.kind == Change::Kind::Linear) how = Held::Step;
    if (free(a) && change.kind == Change::Kind::Clamped) how = lane ? Held::Clamped : Held::Copies;
    if (free(a) && change.varying()) how = lane && fits ? Held::Vector : Held::Copies;
    if (how == Held::Copies || how == Held::Vector) spread_along.push_back(a);
    held.axes.push_back(how);
    held.steps.push_back(change.step);
  }
  const bool vector = lanes_ && held.axes[*lanes_] == Held::Vector;
  const bool one_each = lanes_ && held.axes[*lanes_] == Held::Copies;
  if (one_each && (element.scalar == Scalar::Opaque || element.scalar == Scalar::Unknown)) {
    decline(v->text + " differs between neighbouring work-items and cannot be held once for each");
    return {};
  }
  const auto value = value_of(v);
  if (value && !is_pure(value) && !spread_along.empty() && !reassigned(value, true).empty()) {
    decline("the initial value of " + v->text + " has side effects");
    return {};
  }
  Nodes out = value ? hoist(value, spread_along) : Nodes{};
  for (const auto& p : points(spread_along, one_each)) {
    NodePtr initial;
    if (value && is(value, Kind::InitList)) {
      Nodes parts;
      for (const auto& part : value->children)
        parts.push_back(vector ? converted(expression(part, p), element) : scalar(part, p));
      initial = init_list(std::move(parts), value->type);
    } else if (value) {
      initial = vector ? converted(expression(value, p), element) : scalar(value, p);
    } else if (vector && !v->type.is_array()) {
      initial = vector_literal(widened(element), {int_literal(0)});  // a select reads it before all lanes have set it
    }
    Type type = v->type;
    if (vector) type = v->type.is_array() ? array_of(widened(element), v->type.extents) : widened(element);
    type.is_const = v->type.is_const;
    out.push_back(declare(type, copy_name(v->text, copied(held), p), initial));
  }
  hoisted_.clear();
  holdings_[v->text] = std::move(held);
  return out;
}

/// All agree: together. Else one by one.
Nodes TileRewrite::branch(const NodePtr& s, bool tail) {
  const auto& condition = if_condition(s);
  const auto axes = axes_of(condition);
  falls_out_ = false;
  if (axes.empty()) {
    const auto other = if_else(s);
    const auto then_branch = scoped(if_then(s), tail);
    const auto else_branch = other ? scoped(other, tail) : nullptr;
    falls_out_ = tail && pristine_;
    return {if_then_else(scalar(condition, origin()), then_branch, else_branch)};
  }
  if (!is_pure(condition)) return one_by_one(s, axes, "a condition with side effects");
  if (has_barrier(s)) {
    decline("a barrier stands under a condition that depends on the work-item");
    return {};
  }
  bool pinned = false;
  for (std::size_t a = 0; a < pins_.size(); ++a) pinned = pinned || (!tile_.axes[a].loop && pins_[a] >= 0);
  if (tail && pristine_ && !pinned)
    if (auto out = tail_branch(s); !out.empty()) {
      falls_out_ = true;
      return out;
    }
  if (auto selects = as_selects(s)) return *selects;
  const auto apart = [&] { return block(one_by_one(s, axes, "a condition")); };
  const auto all = when_all(condition);
  const auto none = when_all(negated(condition));
  const auto other = if_else(s);
  if (jumps_out(s) || (!all && !none)) return {apart()};
  NodePtr rest = apart();
  if (none) rest = other ? if_then_else(*none, scoped(other, false), rest) : if_then_else(negated(*none), rest);
  if (!all) return {rest};
  return {if_then_else(*all, scoped(if_then(s), false), rest)};
}

/// At the end of a kernel that has stored nothing yet: those who agree finish and return, the others fall through to
/// the replay that run() puts at the very end.
Nodes TileRewrite::tail_branch(const NodePtr& s) {
  const auto all = when_all(if_condition(s));
  const auto other = if_else(s);
  const auto none = other ? when_all(negated(if_condition(s))) : std::nullopt;
  if (!all && !none) return {};
  Nodes out;
  if (all) out.push_back(if_then_else(*all, scoped(if_then(s), true)));
  if (none) out.push_back(if_then_else(*none, scoped(other, true)));
  replays_ = true;
  return out;
}

/// The work-items of the tile run the statement one after the other along these axes.
Nodes TileRewrite::one_by_one(const NodePtr& s, const std::vector<std::size_t>& axes, const std::string& why) {
  if (has_barrier(s)) decline("a barrier stands under " + why + " that depends on the work-item");
  const bool loops = any_of(s, [](const NodePtr& n) { return n->kind == Kind::For || n->kind == Kind::While; });
  for (const auto a : axes)
    if (lanes_ && a == *lanes_ && loops && why != "a condition" && why != turns_of_its_own)
      decline("the bounds of a loop depend on " + along(a));
  std::size_t copies = 1;
  for (const auto a : axes) copies *= static_cast<std::size_t>(tile_.axes[a].factor);
  if (size_of_tree(s) * copies > largest_tree) decline("the work-items of the tile part ways in too large a statement");
  if (!reason_.empty()) return {};
  Nodes out;
  const auto pins = pins_;
  const bool pristine = pristine_;
  for (const auto& p : points(axes, true)) {
    for (const auto a : axes) pins_[a] = p[a];
    append(out, statement(s, false));
    pins_ = pins;
  }
  pristine_ = pristine;
  return out;
}

namespace {

/// Where the launch keeps its size, most work-items have nothing to do: they leave before they ask for each of the
/// tile.
NodePtr without_idle(const NodePtr& function, const Tile& tile) {
  std::map<int, long long> together;
  for (const auto& axis : tile.axes)
    if (!axis.loop) together.try_emplace(axis.dimension, 1).first->second *= axis.factor;
  NodePtr idle;
  for (const auto& [dimension, count] : together) {
    const auto first = binary("*", thread_index(Thread::GlobalId, dimension), int_literal(count));
    const auto beyond = binary(">=", first, thread_index(Thread::GlobalSize, dimension));
    idle = idle ? binary("||", idle, beyond) : beyond;
  }
  if (!idle) return function;
  auto statements = body_of(function)->children;
  statements.insert(statements.begin(), if_then_else(idle, return_statement()));
  return with_child(function, function->children.size() - 1, with_children(body_of(function), std::move(statements)));
}

Result<NodePtr> rewritten(const Unit& unit, const NodePtr& function, const Nodes& body, Tile tile,
                          const Narrower& rest) {
  const auto with_body = [&](const Nodes& b) { return with_child(function, function->children.size() - 1, block(b)); };
  auto taken = identifiers(unit.root);
  taken.merge(identifiers(function));
  const auto parts = with_partial_sums(with_body(body), tile.axes, taken);
  const auto turns = with_shared_turns(parts.function, tile.axes, taken);
  return TileRewrite(unit, with_body(turns.body), body, turns, parts, tile, rest).run();
}

/// Beyond this a narrower copy takes longer to build than it wins at the edges.
constexpr std::size_t largest_narrower = 1500;
/// Lanes of the vectors that are left over beside one of twice as many and more.
constexpr int narrow_lanes = 4;

/// One vector where the tile has several, a short one where it has one long one, and in these again.
Narrower narrower_than(const Unit& unit, const NodePtr& function, const Nodes& body, const Tile& tile) {
  const auto found = std::find_if(tile.axes.begin(), tile.axes.end(), [](const Axis& a) { return a.lanes; });
  if (found == tile.axes.end() || found->unit != 1 || has_barrier(block(body))) return {};
  Axis lanes = *found;
  if (tile.axes.size() == 1) {
    if (lanes.loop || lanes.factor < 2 * narrow_lanes) return {};
    lanes.factor = narrow_lanes;
  }
  Tile narrow = tile;
  narrow.axes = {lanes};
  const auto made = rewritten(unit, function, body, narrow, narrower_than(unit, function, body, narrow));
  if (!made || size_of_tree(*made) > largest_narrower) return {};
  // Where each lane has turns of its own, one copy of these is enough for a compiler.
  const auto loops = [](const NodePtr& n) { return find_all(n, Kind::For).size(); };
  if (loops(*made) > 3 * loops(block(body)) + 4) return {};
  return {body_of(*made), lanes.factor};
}

}  // namespace

Result<NodePtr> tile_work_items(const Unit& unit, const NodePtr& original, const Tile& tile, const LaunchFacts& facts) {
  const bool vectors = std::any_of(tile.axes.begin(), tile.axes.end(), [](const Axis& a) { return a.lanes; });
  const auto function = vectors ? in_numbers(unit, original) : original;
  for (const auto& f : {original, function})
    if (auto reason = obstacle(unit, f); !reason.empty()) return fail("E-DECLINED", reason);
  Tile real = tile;
  real.axes.clear();
  std::vector<std::string> loops;
  for (std::size_t a = 0; a < tile.axes.size(); ++a) {
    if (tile.axes[a].factor == 1) continue;
    real.axes.push_back(tile.axes[a]);
    loops.push_back(tile.loops[a]);
  }
  if (real.axes.empty()) return original;
  const Symbols symbols(function);
  if (!symbols.conflict().empty())
    return fail("E-DECLINED", "two variables of different types are both called " + symbols.conflict());
  auto body = structured_body(function);
  if (!body) return fail(std::move(body).error());
  if (std::any_of(loops.begin(), loops.end(), [](const std::string& l) { return !l.empty(); })) {
    body = localised(*body);
    Nodes children = function->children;
    children.back() = block(*body);
    const auto shaped = with_children(function, std::move(children));
    for (std::size_t a = 0; a < loops.size(); ++a) {
      if (loops[a].empty()) continue;
      auto loop = independent_loop(unit, shaped, loops[a], facts);
      if (!loop) return fail(std::move(loop).error());
      real.axes[a].loop = *loop;
    }
  }
  if (real.keep_geometry) {
    NodePtr inside;
    for (const auto& axis : real.axes) {
      if (axis.loop) continue;
      auto test =
          binary("<", thread_index(Thread::GlobalId, axis.dimension), thread_index(Thread::GlobalSize, axis.dimension));
      inside = inside ? binary("&&", inside, test) : test;
    }
    if (inside) body = Nodes{if_then_else(inside, block(*body))};
  }
  const bool waits = has_barrier(block(*body));
  auto out = rewritten(unit, function, *body, real, narrower_than(unit, function, *body, real));
  return out && real.keep_geometry && !waits ? without_idle(*out, real) : out;
}

}  // namespace hone::rules
