#include "rules/schedule.hpp"

#include <algorithm>

#include "ir/build.hpp"
#include "ir/print.hpp"
#include "ir/rewrite.hpp"
#include "rules/registers.hpp"
#include "rules/tile.hpp"
#include "rules/unroll.hpp"

namespace hone::rules {
using namespace ir;

namespace {

using Rule = Step::Rule;

bool tiles(const Step& step) { return step.rule == Rule::Lanes || step.rule == Rule::Merge; }

Result<int> number(const std::string& factor, const Configuration& configuration) {
  const auto found = configuration.find(factor);
  const std::string text = found == configuration.end() ? factor : hone::print(found->second);
  const auto value = text.find_first_not_of("0123456789") == std::string::npos && text.size() < 6 ? std::stoi(text) : 0;
  if (value < 1) return fail("E-STEP", factor + " is neither a parameter nor a count");
  return value;
}

/// "1", or the name of a variable that starts as get_global_id(1).
Result<int> dimension_of(const Step& step, const NodePtr& function) {
  if (step.target.size() == 1 && step.target[0] >= '0' && step.target[0] <= '2') return step.target[0] - '0';
  int found = -1;
  for (const auto& v : find_all(function, Kind::Variable)) {
    auto value = v->text == step.target ? value_of(v) : nullptr;
    while (value && is(value, Kind::Cast)) value = operand(value);
    if (value && is_thread_index(value, Thread::GlobalId)) found = value->dimension;
  }
  if (found < 0)
    return fail("E-STEP", "`" + print(step) + "`: " + step.target +
                              " is neither a dimension (0, 1, 2) nor a variable that holds get_global_id");
  return found;
}

Result<std::vector<int>> tiled_dimensions(const KernelPlan& plan, const NodePtr& function) {
  std::vector<int> out;
  for (const auto& step : plan.steps) {
    if (!tiles(step)) continue;
    auto d = dimension_of(step, function);
    if (!d) return fail(std::move(d).error());
    if (static_cast<std::size_t>(*d) >= plan.facts.dimensions)
      return fail("E-DECLINED", "the launch has no dimension " + std::to_string(*d));
    if (std::find(out.begin(), out.end(), *d) == out.end()) out.push_back(*d);
  }
  return out;
}

bool has_step(const KernelPlan& plan, Rule rule) {
  return std::any_of(plan.steps.begin(), plan.steps.end(), [&](const Step& s) { return s.rule == rule; });
}

Expression factor_expression(const std::string& factor) {
  auto parsed = Expression::parse(factor);
  return parsed ? *parsed : Expression::name(factor);
}

std::string place(const char* what, std::size_t d) {
  return std::string("launch.") + what + "[" + std::to_string(d) + "]";
}

std::optional<LaunchShape> shape_of(const KernelPlan& plan, const NodePtr& function) {
  if (plan.geometry == Geometry::Kept) return std::nullopt;
  LaunchShape shape;
  shape.kernel = plan.kernel;
  for (std::size_t d = 0; d < plan.facts.dimensions; ++d) {
    std::vector<Expression> factors;
    for (const auto& step : plan.steps)
      if (tiles(step))
        if (const auto at = dimension_of(step, function); at && static_cast<std::size_t>(*at) == d)
          factors.push_back(factor_expression(step.factors[0]));
    auto global = Expression::name(place("global", d)), local = Expression::name(place("local", d));
    if (!factors.empty()) {
      Expression all = factors[0];
      for (std::size_t i = 1; i < factors.size(); ++i) all = Expression::binary("*", all, factors[i]);
      global = Expression::call("ceil_div", {global, all});
      local = Expression::call("ceil_div", {local, all});
    }
    shape.global.push_back(global);
    if (plan.geometry == Geometry::Exact) shape.local.push_back(local);
  }
  for (const auto& step : plan.steps) {
    if (step.rule != Rule::Workgroup || plan.geometry != Geometry::Guarded) continue;
    for (std::size_t d = 0; d < plan.facts.dimensions; ++d) {
      const bool free = d < step.factors.size() && is_guarded(function, static_cast<int>(d));
      shape.local.push_back(free ? factor_expression(step.factors[d]) : Expression::literal(std::int64_t{1}));
    }
  }
  return shape;
}

Result<Tile> tile_of(const KernelPlan& plan, const NodePtr& function, const Configuration& configuration) {
  Tile tile;
  tile.keep_geometry = plan.geometry == Geometry::Kept;
  std::map<int, long long> units;
  // Lanes are innermost whatever the order of the lines, so that they stay neighbours.
  for (const bool lanes : {true, false})
    for (const auto& step : plan.steps) {
      if (!tiles(step) || (step.rule == Rule::Lanes) != lanes) continue;
      auto d = dimension_of(step, function);
      if (!d) return fail(std::move(d).error());
      auto factor = number(step.factors[0], configuration);
      if (!factor) return fail(std::move(factor).error());
      if (lanes && *factor != 1 && *factor != 2 && *factor != 4 && *factor != 8 && *factor != 16)
        return fail("E-DECLINED", "there is no vector of " + std::to_string(*factor) + " lanes");
      auto& unit = units.try_emplace(*d, 1).first->second;
      tile.axes.push_back({*d, *factor, unit, lanes && *factor > 1});
      unit *= *factor;
    }
  if (plan.geometry == Geometry::Exact)
    for (const auto& [d, unit] : units)
      if (plan.facts.grain[static_cast<std::size_t>(d)] % unit != 0)
        return fail("E-DECLINED", std::to_string(unit) + " work-items of dimension " + std::to_string(d) +
                                      " do not divide the work-group of " +
                                      std::to_string(plan.facts.grain[static_cast<std::size_t>(d)]));
  if (std::count_if(tile.axes.begin(), tile.axes.end(), [](const Axis& a) { return a.lanes; }) > 1)
    return fail("E-STEP", "a schedule has one `lanes` for each kernel");
  // Merged axes before lanes, outer before inner: copies are numbered the way a person counts.
  std::reverse(tile.axes.begin(), tile.axes.end());
  return tile;
}

Result<NodePtr> transformed(const Unit& unit, const KernelPlan& plan, const Configuration& configuration) {
  NodePtr function = find_function(unit, plan.kernel);
  if (has_step(plan, Rule::Registers)) {
    auto next = keep_in_registers(unit, function, plan.facts);
    if (!next) return fail(std::move(next).error().context("registers"));
    function = *next;
  }
  auto tile = tile_of(plan, function, configuration);
  if (!tile) return fail(std::move(tile).error());
  const bool lanes = std::any_of(tile->axes.begin(), tile->axes.end(), [](const Axis& a) { return a.lanes; });
  if (lanes && unit.dialect != Dialect::OpenCL)
    return fail("E-DECLINED", std::string("lanes: ") + dialect_name(unit.dialect) + " has no arithmetic on vectors");
  if (!tile->axes.empty()) {
    auto next = tile_work_items(with_function(unit, function), function, *tile);
    if (!next) return fail(std::move(next).error().context(lanes ? "lanes" : "merge"));
    function = *next;
  }
  for (const auto& step : plan.steps) {
    if (step.rule != Rule::Unroll) continue;
    auto factor = number(step.factors[0], configuration);
    if (!factor) return fail(std::move(factor).error());
    auto next = unroll(unit, function, step.target, *factor);
    if (!next) return fail(std::move(next).error().context("unroll"));
    function = *next;
  }
  return function;
}

Expression at_values(const Expression& e, const Configuration& configuration) {
  return e.substitute([&](std::string_view name) -> std::optional<Expression> {
    const auto found = configuration.find(std::string(name));
    if (found == configuration.end()) return std::nullopt;
    return Expression::literal(found->second);
  });
}

}  // namespace

Result<std::vector<KernelPlan>> plan(const LiftedKernel& lifted, const std::vector<Step>& steps) {
  std::vector<KernelPlan> plans;
  const auto open = [&](const std::string& kernel) -> Status {
    if (!find_function(lifted.unit, kernel)) return fail("E-STEP", "there is no kernel " + kernel);
    plans.push_back({kernel, {}, launch_facts(lifted.mep, kernel), Geometry::Guarded});
    return {};
  };
  for (const auto& step : steps) {
    if (step.rule == Rule::Kernel || plans.empty()) {
      auto opened = open(step.rule == Rule::Kernel ? step.target : lifted.kernel);
      if (!opened) return fail(std::move(opened).error());
    }
    if (step.rule != Rule::Kernel) plans.back().steps.push_back(step);
  }
  for (auto& p : plans) {
    const auto function = find_function(lifted.unit, p.kernel);
    auto dimensions = tiled_dimensions(p, function);
    if (!dimensions) return fail(std::move(dimensions).error());
    const bool regroups = has_step(p, Rule::Workgroup);
    if (dimensions->empty() && !regroups) {
      p.geometry = Geometry::Kept;
      continue;
    }
    auto geometry = geometry_for(function, p.facts, *dimensions);
    if (!geometry) return fail(std::move(geometry).error());
    p.geometry = *geometry;
    if (has_step(p, Rule::Keep)) {
      if (regroups) return fail("E-DECLINED", "workgroup: the launch is to be left as it is");
      if (depends_on_groups(function))
        return fail("E-DECLINED",
                    "keep: the kernel's meaning depends on its groups, so that fewer work-items need "
                    "another launch");
      p.geometry = Geometry::Kept;
    }
    if (regroups && depends_on_groups(function))
      return fail("E-DECLINED", "workgroup: the kernel's meaning depends on its groups");
    if (regroups && dimensions->empty() && !is_guarded(function, 0) && p.geometry != Geometry::Exact)
      return fail("E-DECLINED", "workgroup: no condition stops work-items beyond the edge");
  }
  return plans;
}

Result<std::vector<LaunchShape>> launch_shapes(const LiftedKernel& lifted, const std::vector<Step>& steps) {
  auto plans = plan(lifted, steps);
  if (!plans) return fail(std::move(plans).error());
  std::vector<LaunchShape> shapes;
  for (const auto& p : *plans)
    if (auto shape = shape_of(p, find_function(lifted.unit, p.kernel))) shapes.push_back(*std::move(shape));
  return shapes;
}

Result<Variant> replay(const LiftedKernel& lifted, const std::vector<std::string>& schedule,
                       const Configuration& configuration) {
  auto steps = parse_schedule(schedule);
  if (!steps) return fail(std::move(steps).error());
  auto plans = plan(lifted, *steps);
  if (!plans) return fail(std::move(plans).error());
  Variant variant;
  variant.options = lifted.mep.options;
  variant.language = lifted.mep.language;
  Unit unit = lifted.unit;
  for (const auto& p : *plans) {
    auto function = transformed(unit, p, configuration);
    if (!function) return fail(std::move(function).error());
    if (auto shape = shape_of(p, find_function(lifted.unit, p.kernel))) {
      for (auto& e : shape->global) e = at_values(e, configuration);
      for (auto& e : shape->local) e = at_values(e, configuration);
      variant.launches.push_back(*std::move(shape));
    }
    unit = with_function(unit, *function);
  }
  auto text = ir::print(unit);
  if (!text) return fail(std::move(text).error());
  variant.source = *std::move(text);
  return variant;
}

}  // namespace hone::rules
