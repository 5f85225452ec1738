#include "rules/schedule.hpp"

#include "ir/print.hpp"
#include "rules/all_rules.hpp"
#include "rules/vector_access.hpp"

namespace hone::rules {
namespace {

/// Steps whose rule passes; the kernel of a schedule that names none is the lifted one.
Result<State> run_those(State state, const Schedule& schedule, bool (*take)(const Rule&)) {
  for (const auto& step : schedule) {
    if (auto known = check_step(step, rule_forms()); !known) return fail(std::move(known).error());
    const Rule& rule = *find_rule(step.rule);
    if (!take(rule)) continue;
    if (step.rule != "kernel" && state.kernels.empty()) {
      const auto kernel = state.kernel;
      auto first = opened(std::move(state), kernel);
      if (!first) return first;
      state = *std::move(first);
    }
    auto next = rule.apply(std::move(state), step);
    if (!next) return next;
    state = *std::move(next);
  }
  return state;
}

Expression at_values(const Expression& e, const Configuration& configuration) {
  return e.substitute([&](std::string_view name) -> std::optional<Expression> {
    const auto found = configuration.find(std::string(name));
    if (found == configuration.end()) return std::nullopt;
    return Expression::literal(found->second);
  });
}

}  // namespace

State start(const LiftedKernel& lifted, const Configuration& configuration) {
  State state;
  state.unit = lifted.unit;
  state.kernel = lifted.kernel;
  state.values = configuration;
  state.lifted = &lifted;
  return state;
}

Result<State> run(State state, const Schedule& schedule) {
  return run_those(std::move(state), schedule, [](const Rule&) { return true; });
}

Result<Variant> lower(State state) {
  Variant variant;
  variant.options = state.lifted->mep.options;
  variant.language = state.lifted->mep.language;
  for (const auto& name : std::vector<std::string>(state.order)) {
    state.kernel = name;
    auto done = tiled(std::move(state), Step{});
    if (!done) return fail(std::move(done).error());
    state = *std::move(done);
    auto shape = shape_of(state.current(), name);
    if (!shape) return fail(std::move(shape).error());
    if (!*shape) continue;
    for (auto& e : (*shape)->global) e = at_values(e, state.values);
    for (auto& e : (*shape)->local) e = at_values(e, state.values);
    variant.launches.push_back(**std::move(shape));
  }
  if (lacks_vector_access(state.lifted->mep)) state.unit = with_own_vector_access(std::move(state.unit), state.order);
  auto text = ir::print(state.unit);
  if (!text) return fail(std::move(text).error());
  variant.source = *std::move(text);
  return variant;
}

Result<Variant> replay(const LiftedKernel& lifted, const Schedule& schedule, const Configuration& configuration) {
  auto state = run(start(lifted, configuration), schedule);
  if (!state) return fail(std::move(state).error());
  return lower(*std::move(state));
}

Result<std::vector<LaunchShape>> launch_shapes(const LiftedKernel& lifted, const Schedule& schedule) {
  auto state = run_those(start(lifted, {}), schedule, [](const Rule& rule) { return rule.shapes_launch; });
  if (!state) return fail(std::move(state).error());
  std::vector<LaunchShape> shapes;
  for (const auto& name : state->order) {
    auto shape = shape_of(state->kernels.at(name), name);
    if (!shape) return fail(std::move(shape).error());
    if (*shape) shapes.push_back(**std::move(shape));
  }
  return shapes;
}

}  // namespace hone::rules
