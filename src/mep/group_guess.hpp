#pragma once
// The work-group a kernel was written for, where no launch says it: `__shared__ float tile[16][17]` that is filled at
// [threadIdx.y][threadIdx.x] belongs to groups of 16 x 16.

#include <cstdint>
#include <vector>

#include "affine/view.hpp"
#include "ir/unit.hpp"

namespace hone::mep {

/// By dimension; empty where its own local arrays do not say it for every dimension that it uses.
std::vector<std::int64_t> group_by_arrays(const ir::NodePtr& kernel, const affine::View& view);

}  // namespace hone::mep
