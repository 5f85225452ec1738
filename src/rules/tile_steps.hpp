#pragma once
// What `lanes` and `merge` share: each adds an axis to the tile of its kernel; the tile is rewritten in one pass, when
// the schedule ends or a step needs it in the tree, so that loads are shared across all its axes.

#include "rules/rule.hpp"

namespace hone::rules {

/// What an offer of `merge` is worth where work-items, or iterations of a loop, load hardly anything in common, or
/// nothing.
inline constexpr int shares_little = -1, shares_nothing = -2;

Result<State> take_together(State state, const Step& step, bool lanes);

struct Traffic {
  int contiguous = 0, same = 0, scattered = 0;
  int alone = 0;  // loops with turns that each makes alone: the more are taken together, the more of them
};
/// How the accesses of a kernel move along one dimension; what a loop does counts for more than what is done once.
Traffic traffic_along(const ir::Unit& unit, const ir::NodePtr& function, int dimension);
/// How the accesses of each counted loop move from one iteration to the next; `declined` says why its iterations must
/// go in order.
struct LoopTraffic {
  std::string loop;
  Traffic traffic;
  std::string declined;
  bool adds_up = false;
};
std::vector<LoopTraffic> traffic_along_loops(const ir::Unit& unit, const ir::NodePtr& function,
                                             const LaunchFacts& facts);
/// Some loop runs differently for neighbours of the dimension, so that they share little in it.
bool loops_differ_along(const ir::NodePtr& function, int dimension);
/// The kernels after the steps, or as they are where these cannot be done.
ir::Unit after(const LiftedKernel& lifted, const Schedule& steps);
/// Why the step cannot be replayed after those before it; nothing when it can.
std::optional<std::string> refused(const LiftedKernel& lifted, Schedule before, const Step& step);
/// "lanes 0 (gemm): why".
std::string declined_line(const std::string& rule, const std::string& kernel, const std::string& why);

}  // namespace hone::rules
