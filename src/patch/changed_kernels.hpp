#pragma once
// Which kernels an application runs with another text than before, from two recordings alone: for a patch of which
// nothing is known but its diff.

#include <string>
#include <vector>

#include "patch/engagement.hpp"

namespace hone::patch {

struct RanChanged {
  std::string kernel;
  std::size_t launches = 0;  // of the new text
  bool other_sizes = false;  // than any launch of the old one
};

/// Kernels that were launched both times, from definitions that differ by more than layout.
std::vector<RanChanged> changed_kernels(const Recording& before, const Recording& after);

}  // namespace hone::patch
