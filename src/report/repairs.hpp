#pragma once
// How many templates that failed were mended, by the kind of fault, read off the attempts.

#include <map>
#include <string>
#include <vector>

#include "core/proposer.hpp"

namespace hone::report {

struct RepairRate {
  std::size_t tried = 0, mended = 0;  // mended: the repaired template could be timed
  bool operator==(const RepairRate&) const = default;
};
std::map<std::string, RepairRate> repair_rates(const std::vector<Attempt>& attempts);

}  // namespace hone::report
