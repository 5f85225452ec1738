#pragma once
// Schedules over the tree: steps are done one after the other, in the order written, at concrete values.
// docs/schedules.md has the language; all_rules.hpp the rules.

#include "rules/state.hpp"

namespace hone::rules {

/// The kernels as they are before the first step.
State start(const LiftedKernel& lifted, const Configuration& configuration);

/// for (step) { is it one of ours; apply }. E-STEP for what is no step, E-DECLINED when a step cannot be done at this
/// configuration, which is then infeasible while the schedule is not; E-ORDER when it cannot be done at its place.
Result<State> run(State state, const Schedule& schedule);

/// The variant that a state stands for.
Result<Variant> lower(State state);

/// run and lower.
Result<Variant> replay(const LiftedKernel& lifted, const Schedule& schedule, const Configuration& configuration);

/// What a schedule does to the launch of each kernel, with parameter names still in it.
Result<std::vector<LaunchShape>> launch_shapes(const LiftedKernel& lifted, const Schedule& schedule);

}  // namespace hone::rules
