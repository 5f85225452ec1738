#pragma once
// What a search saw fail, as constraints: a template that fails at some of its points is not at fault at the others. A
// bound is drawn only where one parameter alone tells what failed from what worked; otherwise just the points that
// failed are named. Pure.

#include <optional>
#include <string>
#include <vector>

#include "core/space.hpp"
#include "search/strategy.hpp"

namespace hone::loop {

/// What fails at `value` and beyond: above it, or below.
struct FailingRange {
  std::string parameter;
  Value value;
  bool above = true;
  bool holds(const Configuration& configuration) const;
};

/// Nothing below three failures and two points that worked, or when several parameters would explain them.
std::optional<FailingRange> failing_range(const Space& space, const std::vector<search::Told>& told);

/// One that a search added: it belongs to what is known of a template, not to the template.
inline bool is_learned(const Constraint& constraint) { return constraint.name.starts_with("fails_"); }

/// To be added to those of the template. Empty when nothing failed, or nothing worked.
std::vector<Constraint> learned_constraints(const Space& space, const std::vector<search::Told>& told);

}  // namespace hone::loop
