#pragma once
// Quotients and remainders of what moves with the work-item: within one row they are the same for all, and one apart.
//
//   const int row = i / w, column = i % w;   ->   const int i_first = ...of the first of the tile..., ...
//   o[row * s + column] = ...;                    if (i_first >= 0 && i_last - i_first < w - remainder) {
//                                                   const int row = quotient, column = i + to_column;
//                                                   o[row * s + column] = ...;
//                                                 } else { ...as it was... }
//
// Legal because a row that the tile's first and last lie in together has all of them in it.

#include "rules/shared_turns.hpp"

namespace hone::rules {

/// The function with such branches; what they compare is added to the limits of `turns`.
ir::NodePtr with_whole_rows(const ir::NodePtr& function, const std::vector<Axis>& axes, SharedTurns& turns,
                            std::set<std::string>& taken);

}  // namespace hone::rules
