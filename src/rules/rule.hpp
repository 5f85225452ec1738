#pragma once
// A rule: one row of the table in all_rules.cpp, and the file that ends in it. What is said about rules anywhere (the
// parser, a prompt, a report, the survey, docs/schedules.md) is read from here.

#include "core/schedule.hpp"
#include "rules/state.hpp"

namespace hone::rules {

/// What a rule could do to a kernel: a step without its counts, and how much there is to gain compared with other
/// offers of the same rule.
struct Offer {
  std::vector<std::string> arguments;
  int worth = 0;
  bool adds_up = false;  // of a loop: its iterations hand sums to one another
};
struct Offers {
  std::vector<Offer> made;
  std::vector<std::string> declined;  // "lanes 1 (gemm): the bounds of a loop depend on get_global_id(1)"
};

struct Rule {
  RuleForm form;
  /// The state after the step. E-STEP for arguments that make no sense here, E-DECLINED where the kernel or its
  /// launches do not allow it, E-ORDER where only the place of the step in the schedule is wrong.
  Result<State> (*apply)(State state, const Step& step);
  /// After the steps of `before`, which open with the kernel's name. Null for rules that are no use by themselves.
  Offers (*offers)(const LiftedKernel& lifted, const std::string& kernel, const Schedule& before) = nullptr;
  /// The step changes what is launched, not only the tree.
  bool shapes_launch = false;
  /// Offered where the device is a processor, and nowhere else.
  bool for_processors = false;
};

}  // namespace hone::rules
