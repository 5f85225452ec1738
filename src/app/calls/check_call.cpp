// A candidate before the judge: every check on every workload, then against the original.
#include <fmt/format.h>

#include "app/calls/all_calls.hpp"
#include "app/improve.hpp"
#include "app/session/candidate.hpp"
#include "app/session/session.hpp"

namespace hone::app {
namespace {

Result<Answer> run_check(Session& session, const CallRequest& request) {
  const auto warm = session.mep_of(request);
  if (!warm) return fail(warm.error());
  const auto candidate = candidate_in(request, session.workspace(), (*warm)->mep(), (*warm)->setup().device());
  if (!candidate) return fail(candidate.error());
  const auto proposer = agent_proposer(request.agent);
  const auto confirmed = (*warm)->prove(candidate->made_of, candidate->configuration, proposer);
  if (!confirmed) return fail(confirmed.error());
  Answer answer;
  answer.code = std::holds_alternative<Timed>(confirmed->verdict) ? ExitCode::Yes : ExitCode::No;
  answer.text = checked_text(*confirmed);
  answer.data = checked_json(*confirmed);
  answer.data["proposer"] = proposer;
  answer.data["mended"] = candidate->mended;
  for (const auto& line : candidate->mended) answer.text += "  mended: " + line + "\n";
  return answer;
}

}  // namespace

const Call check_call = {
    "check",
    "Judges one candidate at one configuration: builds it, compares its outputs with the original's "
    "on tuned, awkward, held-out and freshly drawn sizes, looks for races, and measures it against "
    "the original. `proven` is true only when it is shown to be right and faster.",
    with_candidate({}), run_check};

}  // namespace hone::app
