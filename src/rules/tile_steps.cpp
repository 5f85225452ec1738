#include "rules/tile_steps.hpp"

#include <algorithm>

#include "ir/build.hpp"
#include "ir/rewrite.hpp"
#include "rules/normal.hpp"
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
  if (!dimension) return fail(std::move(dimension).error());
  if (static_cast<std::size_t>(*dimension) >= k.facts.dimensions)
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
  std::map<int, long long> units;
  for (const auto& t : k.tile) {
    auto factor = count_of(state, t.factor);
    if (!factor) return fail(std::move(factor).error());
    if (t.lanes && *factor != 1 && *factor != 2 && *factor != 4 && *factor != 8 && *factor != 16)
      return fail("E-DECLINED", "there is no vector of " + std::to_string(*factor) + " lanes");
    auto& unit = units.try_emplace(t.dimension, 1).first->second;
    tile.axes.push_back({t.dimension, *factor, unit, t.lanes && *factor > 1});
    unit *= *factor;
  }
  if (geometry == Geometry::Exact)
    for (const auto& [d, unit] : units)
      if (k.facts.grain[static_cast<std::size_t>(d)] % unit != 0)
        return fail("E-DECLINED", std::to_string(unit) + " work-items of dimension " + std::to_string(d) +
                                      " do not divide the work-group of " +
                                      std::to_string(k.facts.grain[static_cast<std::size_t>(d)]));
  // Merged axes before lanes, outer before inner: copies are numbered the way a person counts.
  std::reverse(tile.axes.begin(), tile.axes.end());
  std::stable_partition(tile.axes.begin(), tile.axes.end(), [](const Axis& a) { return !a.lanes; });
  return tile;
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
  auto function = tile_work_items(state.unit, state.function(), *tile);
  if (!function) return fail(std::move(function).error().context(lanes ? "lanes" : "merge"));
  return with_current(std::move(state), *function);
}

Traffic traffic_along(const NodePtr& function, int dimension) {
  Traffic out;
  const auto body = structured_body(function);
  if (!body) return out;
  const Symbols symbols(function);
  const auto whole = block(*body);
  const Variance variance(whole, symbols, Axis{dimension, 2, 1, false});
  for_each(whole, [&](const NodePtr& n) {
    if (n->kind != Kind::Index || !is_memory_access(n, symbols) || n->type.is_array() || n->type.is_pointer()) return;
    const Change c = variance.of_address(n);
    if (c.uniform())
      ++out.same;
    else if ((c.kind == Change::Kind::Linear && c.step == 1) || c.kind == Change::Kind::Clamped)
      ++out.contiguous;
    else
      ++out.scattered;
  });
  return out;
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
