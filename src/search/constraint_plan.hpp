#pragma once
// What each constraint needs while a region is built: which of its steps are known, bounded or still free once the
// first parameters of the order are set. Made once for each constraint, so that growing the graph only evaluates.

#include <limits>
#include <optional>
#include <vector>

#include "search/condition.hpp"

namespace hone::search {

/// What one constraint needs once the first k parameters of the order are set.
struct Stage {
  bool open = false;                 // some parameters set, some not
  bool complete = false;             // the last of its parameters has just been set
  bool touched = false;              // the parameter just set is one of its own
  std::vector<std::size_t> stable;   // steps that the parameter just set leaves alone
  std::vector<std::size_t> exact;    // steps to evaluate
  std::vector<std::size_t> ranged;   // steps to bound
  std::vector<std::size_t> unset;    // steps with nothing set
  std::vector<std::size_t> residue;  // steps whose value is the residue
  std::vector<std::vector<std::size_t>> partial_sums, partial_products;  // operands folded into the residue
};

struct CompiledConstraint {
  std::optional<Condition> condition;
  Expression expression;  // when it could not be compiled
  std::vector<std::size_t> variables;
  std::vector<Stage> stages;   // one for each level
  std::vector<double> values;  // of each step, at the assignment being extended
  std::vector<Interval> ranges;
  std::vector<Interval> free;  // range of each step with nothing set
  std::size_t left_out_from = std::numeric_limits<std::size_t>::max();
};

/// Fills in the stages of a constraint for parameters that are set in this order.
void plan(CompiledConstraint& constraint, const std::vector<std::size_t>& order, const NumberTables& tables);

}  // namespace hone::search
