#pragma once
// `hone check`: one candidate, or the MEP alone, before the judge. In: a judge and a variant. Out: everything that is
// printed, as a value.

#include <string>

#include "judge/judge.hpp"

namespace hone::judge {

/// The candidate against K(0) on all workloads.
Result<Confirmation> check_candidate(Judge& judge, const Variant& candidate);
/// K(0) on its own: builds, runs, answers twice alike, is timed. Nothing is compared, so there are no workloads.
Result<Confirmation> check_original(Judge& judge);

/// {"verdict": ..., "comparison": ..., "defence": ..., "reason": ...} and the evidence.
nlohmann::json to_json(const Confirmation& report);
std::string to_text(const Confirmation& report);

}  // namespace hone::judge
