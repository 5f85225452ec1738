#pragma once
// Loops that start later, or end later, for each work-item of a tile than for the one before it: the turns that all of
// them make become a loop of their own.
//
//   for (int j = i + 1; j < n; j++) ...  ->  const int j_shared = ...the latest start of the tile...;
//                                            for (int j_alone = i + 1; j_alone < n && j_alone < j_shared; j_alone++)
//                                            ...  each alone for (int j = j_shared; j < n; j++) ...  all together, on
//                                            one counter
//
//   for (int j = 0; j < i; j++) ...      ->  const int j_shared = ...the earliest end of the tile...;
//                                            for (int j = 0; j < j_shared; j++) ...  all together
//                                            for (int j_alone = 0 < j_shared ? j_shared : 0; j_alone < i; j_alone++)
//                                            ...  each alone
//
// And where both move with the work-item, as of a window that is cut off at the edges, they count from where it is:
//
//   for (int j = max(i - r, 0); j <= min(i + r, n - 1); j++) ...  ->
//     const int from = ...max(i - r, 0) - (i - r) of the first..., to = ...min(i + r, n - 1) - (i - r) of the last...;
//     ...each alone before from + (i - r)...
//     for (int j_place = from; j_place <= to; j_place++) { const int j = j_place + (i - r); ... }
//     ...each alone behind to + (i - r)...
//
// Legal because each work-item still makes its own turns in their own order.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "rules/variance.hpp"

namespace hone::rules {

/// Where the shared turns start or end, in terms of one work-item; the tile takes that of the one named.
struct SharedLimit {
  enum class Of { Latest, Earliest, First, Last };
  ir::NodePtr value;
  Of of = Of::Latest;
};

struct SharedTurns {
  ir::Nodes body;
  std::map<std::string, SharedLimit> limits;  // by the variable that holds it, which is declared without a value
  std::set<std::string> alone;                // counters of the loops that each goes through alone

  bool goes_alone(const ir::NodePtr& loop) const;
  /// What follows the else is as it was before, for tiles of which nothing is known.
  bool goes_two_ways(const ir::NodePtr& branch) const;
  /// A copy of it would need limits of its own.
  bool holds_limits(const ir::NodePtr& node) const;
};

/// `function` has the body that is looked at; the loops of `axes` are followed to where they stand in the new one.
SharedTurns with_shared_turns(const ir::NodePtr& function, std::vector<Axis>& axes, std::set<std::string> taken);

}  // namespace hone::rules
