#pragma once
// Schedules: steps of our rules, one readable line each, replayed over the tree at concrete values.
//
//   kernel NAME         the steps that follow are for this kernel; not needed when there is one
//   registers           elements a loop updates in place are held in private variables
//   lanes D VX          VX neighbouring work-items of dimension D become one, on vectors
//   merge D T           T work-items of dimension D become one, loads they share made once
//   unroll K U          U iterations of the loop over K in one
//   workgroup X Y ...   the size of a work-group, one number for each dimension
//   keep                the launch is left as it is
//
// A number stands where a parameter's name may. D may also be a variable that holds get_global_id(D).

#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/space.hpp"
#include "core/template.hpp"
#include "ir/unit.hpp"
#include "rules/geometry.hpp"
#include "rules/launch_facts.hpp"

namespace hone::rules {

struct Step {
  enum class Rule { Kernel, Registers, Lanes, Merge, Unroll, Workgroup, Keep };
  Rule rule = Rule::Registers;
  std::string target;                // a kernel, a dimension or a loop
  std::vector<std::string> factors;  // parameter names or numbers
  bool operator==(const Step&) const = default;
};
/// E-STEP names the line and what it should have been.
Result<Step> parse_step(const std::string& line);
std::string print(const Step& step);
Result<std::vector<Step>> parse_schedule(const std::vector<std::string>& lines);

/// Everything a replay needs besides the numbers.
struct LiftedKernel {
  ir::Unit unit;       // of K(0)
  std::string kernel;  // where a schedule does not say
  Mep mep;             // for the launches and the build options
};

/// The variant of a schedule at one configuration. E-DECLINED when a step cannot be done there: that configuration is
/// infeasible, the schedule is not.
Result<Variant> replay(const LiftedKernel& lifted, const std::vector<std::string>& schedule,
                       const Configuration& configuration);

/// What a schedule does to the launch of each kernel, with parameter names still in it.
Result<std::vector<LaunchShape>> launch_shapes(const LiftedKernel& lifted, const std::vector<Step>& steps);

/// Steps of one kernel, with the geometry they lead to.
struct KernelPlan {
  std::string kernel;
  std::vector<Step> steps;
  LaunchFacts facts;
  Geometry geometry = Geometry::Guarded;
};
Result<std::vector<KernelPlan>> plan(const LiftedKernel& lifted, const std::vector<Step>& steps);

}  // namespace hone::rules
