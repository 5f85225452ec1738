#include "rules/tile_steps.hpp"

#include <algorithm>
#include <numeric>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/loop_axis.hpp"
#include "rules/normal.hpp"
#include "rules/partial_sums.hpp"
#include "rules/schedule.hpp"
#include "rules/tile.hpp"

namespace hone::rules {
using namespace ir;

Result<State> take_together(State state, const Step& step, bool lanes) {
  auto& k = state.current();
  if (k.closed_by)
    return fail("E-ORDER", "`" + hone::print(step) + "` stands after `" + hone::print(*k.closed_by) +
                               "`, which needs the work-items taken together before it: write it first");
  auto dimension = dimension_of(step, step.arguments[0], k.original);
  if (!dimension) dimension = dimension_of(step, step.arguments[0], in_numbers(state.unit, k.original));  // of a helper
  if (!dimension) return fail(std::move(dimension).error());
  if (*dimension >= 0 && static_cast<std::size_t>(*dimension) >= k.facts.dimensions)
    return fail("E-DECLINED", "the launch has no dimension " + std::to_string(*dimension));
  const auto other = std::find_if(k.tile.begin(), k.tile.end(), [](const TileStep& t) { return t.lanes; });
  if (lanes && other != k.tile.end())
    return fail("E-STEP", "`" + hone::print(step) + "` and `" + hone::print(other->step) +
                              "`: a schedule has one `lanes` for each kernel");
  k.tile.push_back({step, *dimension, step.arguments[1], lanes});
  return state;
}

namespace {

/// The axes at concrete numbers, each as far apart as those written before it along its dimension reach.
Result<Tile> tile_of(const State& state, const KernelState& k, Geometry geometry) {
  Tile tile;
  tile.keep_geometry = geometry == Geometry::Kept;
  std::map<std::string, long long> units;  // by dimension or loop
  for (const auto& t : k.tile) {
    auto factor = count_of(state, t.factor);
    if (!factor) return fail(std::move(factor).error());
    if (t.lanes && *factor != 1 && *factor != 2 && *factor != 4 && *factor != 8 && *factor != 16)
      return fail("E-DECLINED", "there is no vector of " + std::to_string(*factor) + " lanes");
    const bool loop = t.dimension < 0;
    const auto along = loop ? t.step.arguments[0] : std::to_string(t.dimension);
    auto& unit = units.try_emplace(along, 1).first->second;
    tile.axes.push_back({t.dimension, *factor, unit, t.lanes && *factor > 1});
    tile.loops.push_back(loop ? along : "");
    unit *= *factor;
  }
  if (geometry == Geometry::Exact)
    for (std::size_t d = 0; d < k.facts.grain.size(); ++d)
      if (const auto unit = units.find(std::to_string(d)); unit != units.end() && k.facts.grain[d] % unit->second != 0)
        return fail("E-DECLINED", std::to_string(unit->second) + " work-items of dimension " + std::to_string(d) +
                                      " do not divide the work-group of " + std::to_string(k.facts.grain[d]));
  // Merged axes before lanes, outer before inner: copies are numbered the way a person counts.
  std::vector<std::size_t> order(tile.axes.size());
  std::iota(order.rbegin(), order.rend(), 0);
  std::stable_partition(order.begin(), order.end(), [&](std::size_t a) { return !tile.axes[a].lanes; });
  Tile ordered;
  ordered.keep_geometry = tile.keep_geometry;
  for (const auto a : order) {
    ordered.axes.push_back(tile.axes[a]);
    ordered.loops.push_back(tile.loops[a]);
  }
  return ordered;
}

}  // namespace

Result<State> tiled(State state, const Step& before) {
  auto& k = state.current();
  if (k.tile.empty() || k.closed_by) return state;
  k.closed_by = before;
  auto geometry = geometry_of(k);
  if (!geometry) return fail(std::move(geometry).error());
  auto tile = tile_of(state, k, *geometry);
  if (!tile) return fail(std::move(tile).error());
  const bool lanes = std::any_of(tile->axes.begin(), tile->axes.end(), [](const Axis& a) { return a.lanes; });
  if (lanes && state.unit.dialect != Dialect::OpenCL)
    return fail("E-DECLINED",
                std::string("lanes: ") + dialect_name(state.unit.dialect) + " has no arithmetic on vectors");
  auto function = tile_work_items(state.unit, state.function(), *tile, k.facts);
  if (!function) return fail(std::move(function).error().context(lanes ? "lanes" : "merge"));
  return with_current(std::move(state), *function);
}

namespace {

/// Of an access in a loop compared with one outside of it, and the most that loops in loops make of it.
constexpr int loop_weight = 4, most_weight = 64;

/// Loops that each work-item goes through alone are short, and ways for tiles of which nothing is known rare.
class Counting {
 public:
  Counting(const NodePtr& body, const Symbols& symbols, const Axis& axis, const SharedTurns& turns)
      : symbols_(symbols), variance_(body, symbols, axis), turns_(turns) {}

  Traffic of(const NodePtr& region) {
    see(region, 1);
    return out_;
  }

 private:
  void see(const NodePtr& n, int weight) {
    if (turns_.goes_alone(n)) return;
    const bool rare = turns_.goes_two_ways(n);
    if (n->kind == Kind::Call && (n->text.starts_with("read_image") || n->text.starts_with("write_image")))
      (variance_.of(n).uniform() ? out_.same : out_.contiguous) += weight;
    if (n->kind == Kind::Index && is_memory_access(n, symbols_) && !n->type.is_array() && !n->type.is_pointer())
      count(variance_.of_address(n), weight);
    const bool repeats = n->kind == Kind::For || n->kind == Kind::While || n->kind == Kind::DoWhile;
    const int inside = repeats ? std::min(weight * loop_weight, most_weight) : weight;
    for (std::size_t i = 0; i < n->children.size(); ++i)
      if (!(rare && i == 2)) see(n->children[i], inside);
  }

  void count(const Change& change, int weight) {
    if (change.uniform())
      out_.same += weight;
    else if ((change.kind == Change::Kind::Linear && change.step == 1) || change.kind == Change::Kind::Clamped)
      out_.contiguous += weight;
    else
      out_.scattered += weight;
  }

  const Symbols& symbols_;
  Variance variance_;
  const SharedTurns& turns_;
  Traffic out_;
};

Traffic traffic_in(const NodePtr& region, const NodePtr& body, const Symbols& symbols, const Axis& axis,
                   const SharedTurns& turns = {}) {
  return Counting(body, symbols, axis, turns).of(region);
}

/// The kernel as work-items taken together along the axis would run it, with a block for its body.
struct Together {
  NodePtr function;
  SharedTurns turns;
};
std::optional<Together> together_along(const NodePtr& function, const Axis& axis) {
  auto body = structured_body(function);
  if (!body) return std::nullopt;
  const auto last = function->children.size() - 1;
  std::vector<Axis> axes = {axis};
  auto turns = with_shared_turns(with_child(function, last, block(*body)), axes, identifiers(function));
  return Together{with_child(function, last, block(turns.body)), turns};
}

}  // namespace

Traffic traffic_along(const Unit& unit, const NodePtr& original, int dimension) {
  const Axis axis{dimension, 2, 1, false};
  const auto together = together_along(in_numbers(unit, original), axis);
  if (!together) return {};
  const auto whole = body_of(together->function);
  auto traffic = traffic_in(whole, whole, Symbols(together->function), axis, together->turns);
  traffic.alone = static_cast<int>(together->turns.alone.size());
  return traffic;
}

std::vector<LoopTraffic> traffic_along_loops(const Unit& unit, const NodePtr& original, const LaunchFacts& facts) {
  const auto function = in_numbers(unit, original);
  const auto body = structured_body(function);
  if (!body) return {};
  Nodes children = function->children;
  children.back() = block(localised(*body));
  const auto shaped = with_children(function, std::move(children));
  std::vector<LoopTraffic> out;
  for (const auto& loop : loop_names(unit, shaped)) {
    const auto node = independent_loop(unit, shaped, loop, facts);
    LoopTraffic found{loop, {}, node ? "" : node.error().message()};
    const Symbols symbols(shaped);
    if (node) found.traffic = traffic_in(*node, body_of(shaped), symbols, Axis{0, 2, 1, false, *node});
    if (node) found.adds_up = !gathered_by(*node, symbols).empty();
    out.push_back(std::move(found));
  }
  return out;
}

bool loops_differ_along(const NodePtr& function, int dimension) {
  const Axis axis{dimension, 2, 1, false};
  const auto together = together_along(function, axis);
  if (!together) return false;
  const auto whole = body_of(together->function);
  const Symbols symbols(together->function);
  const Variance variance(whole, symbols, axis);
  bool differ = false;
  std::set<const Node*> rare;
  visit(whole, [&](const NodePtr& n) {
    if (together->turns.goes_alone(n) || rare.count(n.get()) != 0) return false;
    if (together->turns.goes_two_ways(n)) rare.insert(if_else(n).get());
    differ = differ || (is(n, Kind::For) && variance.loop_varies(n));
    return true;
  });
  return differ;
}

Unit after(const LiftedKernel& lifted, const Schedule& steps) {
  auto state = run(start(lifted, {}), steps);
  return state ? state->unit : lifted.unit;
}

std::optional<std::string> refused(const LiftedKernel& lifted, Schedule before, const Step& step) {
  before.push_back(step);
  const auto variant = replay(lifted, before, {});
  return variant ? std::nullopt : std::optional(variant.error().message());
}

std::string declined_line(const std::string& rule, const std::string& kernel, const std::string& why) {
  return rule + " (" + kernel + "): " + why;
}

}  // namespace hone::rules
