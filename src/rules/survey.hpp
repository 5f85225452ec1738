#pragma once
// What a kernel offers to the rules, found by looking at its accesses and by trying each rule once on small numbers.

#include <optional>
#include <string>
#include <vector>

#include "core/patch_limits.hpp"
#include "rules/schedule.hpp"

namespace hone::rules {

struct Survey {
  std::string kernel;
  std::optional<int> lanes;        // the dimension along which memory is contiguous
  std::vector<int> merges;         // dimensions worth merging, the most shared loads first
  std::vector<std::string> loops;  // that can be unrolled, innermost first
  bool registers = false;
  bool regroup = false;  // any work-group size will do
  bool keep = false;     // the launch must stay as it is
  std::size_t dimensions = 1;
  long long grain = 0;  // when groups must stay as they are: what divides them along `lanes`
  std::vector<std::string> declined;
};

Survey survey(const LiftedKernel& lifted, const std::string& kernel, const PatchLimits& limits = {});

}  // namespace hone::rules
