#pragma once
// What a kernel offers to the rules: each rule of the table is asked once.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/patch_limits.hpp"
#include "rules/rule.hpp"

namespace hone::rules {

struct Survey {
  std::string kernel;
  std::map<std::string, std::vector<Offer>> offers;  // by the rule's word, the most worth first
  bool keep = false;                                 // the launch must stay as it is
  std::size_t dimensions = 1;
  std::vector<long long> grain;  // by dimension, when groups must stay as they are: what divides them; else empty
  int sums = 0;  // that an innermost loop adds up at once, at most: what a tile holds for each of its work-items
  std::vector<long long> items;  // of the first tuned launch, by dimension; 0 where unknown
  std::vector<std::string> declined;

  bool has(const std::string& rule) const { return !of(rule).empty(); }
  const std::vector<Offer>& of(const std::string& rule) const;
  /// The dimension along which memory is contiguous; nothing when that is a loop.
  std::optional<int> lanes() const;
};

Survey survey(const LiftedKernel& lifted, const std::string& kernel, const PatchLimits& limits = {},
              bool on_processor = true);

}  // namespace hone::rules
