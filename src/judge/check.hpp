#pragma once
// `hone check`: one candidate, or the MEP alone, before the judge. In: a judge and a variant. Out: everything that is
// printed, as a value.

#include <string>

#include "judge/judge.hpp"

namespace hone::judge {

struct CheckReport {
  Verdict verdict;
  std::optional<Comparison> comparison;  // against K(0), when the verdict is Timed
  std::string defence;                   // that decided; empty when nothing rejected the candidate
  std::string reason;
  std::vector<WorkloadComparison> workloads;
  std::optional<double> noise_floor;  // of this machine, as a share of the time
  std::vector<std::string> notes;
  std::vector<std::string> checks;  // that were passed, in words
};

/// The candidate against K(0) on all workloads.
Result<CheckReport> check_candidate(Judge& judge, const Variant& candidate);
/// K(0) on its own: builds, runs, answers twice alike, is timed.
Result<CheckReport> check_original(Judge& judge);

/// {"verdict": ..., "comparison": ..., "defence": ..., "reason": ...} and the evidence.
std::string to_json(const CheckReport& report);
std::string to_text(const CheckReport& report);

}  // namespace hone::judge
