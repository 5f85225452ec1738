#include "report/repairs.hpp"

#include <algorithm>

namespace hone::report {

std::map<std::string, RepairRate> repair_rates(const std::vector<Attempt>& attempts) {
  constexpr std::string_view mark = "+repaired";
  std::map<std::string, RepairRate> out;
  for (const auto& attempt : attempts) {
    if (!attempt.template_name.ends_with(mark)) continue;
    const auto before = attempt.template_name.substr(0, attempt.template_name.size() - mark.size());
    const auto failed = std::ranges::find(attempts, before, &Attempt::template_name);
    if (failed == attempts.end()) continue;
    // What the judge refused only when it was confirmed keeps its time: its fault is not among the fates.
    const bool timed = failed->fate == "faster" || failed->fate == "not faster";
    auto& rate = out[timed ? "refused by the judge" : failed->fate];
    ++rate.tried;
    if (attempt.time.count() > 0) ++rate.mended;
  }
  return out;
}

}  // namespace hone::report
