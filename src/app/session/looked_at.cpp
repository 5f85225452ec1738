#include "app/session/looked_at.hpp"

#include <fmt/format.h>

#include "loop/rounds.hpp"

namespace hone::app {
namespace {

Answer refusal(const Verdict& verdict) {
  Answer answer;
  answer.code = ExitCode::No;
  answer.text = fmt::format("{}  {}\n", name_of(verdict), reason_of(verdict));
  answer.data = {{"verdict", name_of(verdict)}, {"reason", reason_of(verdict)}, {"proven", false}};
  return answer;
}

}  // namespace

Result<LookedAt> look_at(Session& session, const CallRequest& request) {
  const auto found = session.mep_of(request);
  if (!found) return fail(found.error());
  auto& warm = **found;
  LookedAt out;
  auto variant = loop::original_of(warm.mep());
  if (names_candidate(request)) {
    const auto candidate = candidate_in(request, session.workspace(), warm.mep(), warm.setup().device());
    if (!candidate) return fail(candidate.error());
    auto made = warm.variant_of(candidate->made_of, candidate->configuration);
    if (!made) {
      out.refused = refusal(Infeasible{made.error().message()});
      return out;
    }
    variant = std::move(*made);
  }
  const auto seen = warm.look(variant);
  if (!seen) return fail(seen.error());
  if (!std::holds_alternative<Timed>(seen->verdict)) {
    out.refused = refusal(seen->verdict);
    return out;
  }
  out.profile = warm.profile(variant, *seen);
  out.advice = warm.advice(variant, out.profile);
  out.moves = warm.told().briefing.moves;
  return out;
}

}  // namespace hone::app
