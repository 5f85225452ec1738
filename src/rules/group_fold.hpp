#pragma once
// The engine behind `fold`: the first work-item of each group does the work of all. In: a kernel. Out: the kernel with
// a loop over the group's work-items wherever no barrier stands between their statements, and no barrier.
//
// Legal because between two barriers no work-item of a group may read what another writes there: their order is free.

#include "base/result.hpp"
#include "ir/unit.hpp"

namespace hone::rules {

struct Group {
  std::size_t dimensions = 1;
  int width = 1;         // neighbouring work-items that go together, as vectors
  long long most = 256;  // work-items of a group for which there is room
  bool certain = false;  // no launch has more
};

/// E-DECLINED with the reason when the kernel does not allow it.
Result<ir::NodePtr> fold_group(const ir::Unit& unit, const ir::NodePtr& function, const Group& group);

}  // namespace hone::rules
