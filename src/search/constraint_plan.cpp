#include "search/constraint_plan.hpp"

#include <algorithm>

namespace hone::search {

namespace {

/// How much of a step's operands is set.
enum class Progress : char { Unset, Partly, Set };

void plan_free_ranges(CompiledConstraint& constraint, const NumberTables& tables) {
  const auto& steps = constraint.condition->steps;
  constraint.free.resize(steps.size());
  constraint.values.resize(steps.size());
  constraint.ranges.resize(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].code == Operation::Code::Variable) {
      const auto& values = tables.values[steps[i].variable];
      const auto [low, high] = std::minmax_element(values.begin(), values.end());
      constraint.free[i] = {*low, *high, true};
    } else {
      constraint.free[i] = range_of(steps[i], constraint.free.data());
    }
  }
}

/// Which values tell two partial assignments apart: the known operands of steps that are only partly known. Those of
/// integral sums and products are folded into one number.
void plan_residue(const std::vector<Operation>& steps, const std::vector<Progress>& state, Stage& stage) {
  for (const auto i : stage.ranged) {
    const bool folds =
        steps[i].integral && (steps[i].code == Operation::Code::Sum || steps[i].code == Operation::Code::Product);
    std::vector<std::size_t> known;
    for (const auto o : steps[i].operands) {
      if (state[o] != Progress::Set || steps[o].code == Operation::Code::Constant) continue;
      known.push_back(o);
    }
    if (known.empty()) continue;
    if (!folds) {
      stage.residue.insert(stage.residue.end(), known.begin(), known.end());
    } else if (steps[i].code == Operation::Code::Sum) {
      stage.partial_sums.push_back(known);
    } else {
      stage.partial_products.push_back(known);
    }
  }
}

void plan_steps(const Condition& condition, const std::vector<bool>& set, std::size_t parameter, Stage& stage) {
  const auto& steps = condition.steps;
  std::vector<Progress> state(steps.size(), Progress::Set);
  std::vector<bool> moves(steps.size(), false);  // depends on the parameter just set
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].code == Operation::Code::Variable) {
      state[i] = set[steps[i].variable] ? Progress::Set : Progress::Unset;
      moves[i] = steps[i].variable == parameter;
    }
    bool some = false, all = true;
    for (const auto o : steps[i].operands) {
      moves[i] = moves[i] || moves[o];
      some = some || (state[o] != Progress::Unset && steps[o].code != Operation::Code::Constant);
      all = all && state[o] == Progress::Set;
    }
    if (!steps[i].operands.empty()) state[i] = all ? Progress::Set : (some ? Progress::Partly : Progress::Unset);
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (state[i] == Progress::Set) (moves[i] ? stage.exact : stage.stable).push_back(i);
    if (state[i] == Progress::Partly) stage.ranged.push_back(i);
    if (state[i] == Progress::Unset) stage.unset.push_back(i);
  }
  if (!stage.complete) plan_residue(steps, state, stage);
}

}  // namespace

void plan(CompiledConstraint& constraint, const std::vector<std::size_t>& order, const NumberTables& tables) {
  std::vector<bool> set(order.size(), false);
  if (constraint.condition) plan_free_ranges(constraint, tables);
  for (const auto parameter : order) {
    set[parameter] = true;
    const auto& v = constraint.variables;
    Stage stage;
    stage.touched = std::find(v.begin(), v.end(), parameter) != v.end();
    const bool any = std::any_of(v.begin(), v.end(), [&](auto i) { return set[i]; });
    const bool all = std::all_of(v.begin(), v.end(), [&](auto i) { return set[i]; });
    stage.open = any && !all;
    stage.complete = all && stage.touched;
    if (constraint.condition && (stage.open || stage.complete))
      plan_steps(*constraint.condition, set, parameter, stage);
    constraint.stages.push_back(std::move(stage));
  }
  // A constraint without parameters is checked with the first of them.
  if (constraint.variables.empty() && !constraint.stages.empty()) {
    constraint.stages[0].complete = true;
    if (constraint.condition) plan_steps(*constraint.condition, set, order[0], constraint.stages[0]);
  }
}

}  // namespace hone::search
