#include "report/repairs.hpp"

#include <algorithm>

namespace hone::report {
namespace {

/// Also one whose timing was broken off because it was clearly slower, which has no time of its own.
bool has_run(const Attempt& attempt) { return attempt.fate == "faster" || attempt.fate == "not faster"; }

}  // namespace

std::map<std::string, RepairRate> repair_rates(const std::vector<Attempt>& attempts) {
  constexpr std::string_view mark = "+repaired";
  std::map<std::string, RepairRate> out;
  for (const auto& attempt : attempts) {
    if (!attempt.template_name.ends_with(mark)) continue;
    const auto before = attempt.template_name.substr(0, attempt.template_name.size() - mark.size());
    const auto failed = std::ranges::find(attempts, before, &Attempt::template_name);
    if (failed == attempts.end()) continue;
    // What the judge refused only when it was confirmed keeps its time: its fault is not among the fates.
    auto& rate = out[has_run(*failed) ? "refused by the judge" : failed->fate];
    ++rate.tried;
    if (has_run(attempt)) ++rate.mended;
  }
  return out;
}

}  // namespace hone::report
