#pragma once
// What a schedule has made of a MEP's kernels so far. A value: each step takes one and gives the next.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/schedule.hpp"
#include "core/template.hpp"
#include "ir/unit.hpp"
#include "rules/geometry.hpp"
#include "rules/launch_facts.hpp"

namespace hone::rules {

/// Everything a replay needs besides the numbers.
struct LiftedKernel {
  ir::Unit unit;       // of K(0)
  std::string kernel;  // where a schedule does not say
  Mep mep;             // for the launches and the build options
};

/// Work-items taken together by one step. The first along a dimension is innermost.
struct TileStep {
  Step step;
  int dimension = 0;   // -1: iterations of a loop, not work-items
  std::string factor;  // a parameter's name or a number
  bool lanes = false;
};

struct KernelState {
  ir::NodePtr original;  // of K(0)
  LaunchFacts facts;
  std::vector<TileStep> tile;     // rewritten all at once: loads are shared across all its axes
  std::optional<Step> closed_by;  // the step that needed the tile in the tree; "" when the schedule ended
  std::optional<Step> workgroup, keep;
};

struct State {
  ir::Unit unit;
  std::string kernel;  // that the next step is for
  std::map<std::string, KernelState> kernels;
  std::vector<std::string> order;  // of kernels, as they were first named
  Configuration values;
  const LiftedKernel* lifted = nullptr;  // what it started from; outlives it

  KernelState& current() { return kernels.at(kernel); }
  ir::NodePtr function() const { return ir::find_function(unit, kernel); }
};

/// The state with `function` in the place of the kernel's.
State with_current(State state, const ir::NodePtr& function);
/// The next steps are for this kernel; E-STEP when there is none of that name.
Result<State> opened(State state, const std::string& kernel);
/// A count of a step: a parameter's value or a number; E-STEP when it is neither.
Result<int> count_of(const State& state, const std::string& argument);
/// "1", or the name of a variable that starts as get_global_id(1); -1 for the counter of a loop.
Result<int> dimension_of(const Step& step, const std::string& target, const ir::NodePtr& function);

/// How the launch of a kernel may change for what was asked of it so far.
Result<Geometry> geometry_of(const KernelState& kernel);
/// The launch after all steps, with parameter names still in it; nothing when it stays as it is.
Result<std::optional<LaunchShape>> shape_of(const KernelState& kernel, const std::string& name);
/// The open tile becomes part of the tree, because `before` needs it there.
Result<State> tiled(State state, const Step& before);

}  // namespace hone::rules
