// m(x): what was measured of the original, or of a candidate.
#include <fmt/format.h>

#include "app/calls/all_calls.hpp"
#include "app/session/looked_at.hpp"

namespace hone::app {
namespace {

Result<Answer> run_profile(Session& session, const CallRequest& request) {
  auto seen = look_at(session, request);
  if (!seen) return fail(std::move(seen).error());
  if (seen->refused) return *seen->refused;
  Answer answer;
  answer.text =
      fmt::format("{:.4f} ms on the first tune workload: one look, not a claim\n", seen->profile.time.count() / 1e6);
  answer.data = {{"time_ms", seen->profile.time.count() / 1e6},
                 {"numbers", seen->profile.numbers},
                 {"accesses", seen->advice.access_patterns},
                 {"proven", false}};
  for (const auto& [name, value] : seen->profile.numbers) answer.text += fmt::format("  {} {:.6g}\n", name, value);
  for (const auto& line : seen->advice.access_patterns) answer.text += "  " + line + "\n";
  return answer;
}

}  // namespace

const Call profile_call = {"profile",
                           "One look at the original, or at a candidate: its time, traffic and bandwidth against what "
                           "the device can do, and how its accesses lie in memory. Figures for orientation, no claim.",
                           with_candidate({}), run_profile};

}  // namespace hone::app
