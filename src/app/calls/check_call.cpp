// A candidate before the judge: every check on every workload, then against the original.
#include <fmt/format.h>

#include "app/calls/all_calls.hpp"
#include "app/improve.hpp"
#include "app/session/candidate.hpp"
#include "app/session/session.hpp"

namespace hone::app {
namespace {

Result<CheckEffort> effort_in(const CallRequest& request) {
  const auto wish = request.text("effort");
  if (wish.empty()) return CheckEffort::AsNeeded;
  if (wish == "look") return CheckEffort::Look;
  if (wish == "prove") return CheckEffort::Prove;
  return fail("E-REQUEST", "check: `effort` is look or prove; absent: what a look finds faster is proven");
}

Result<Answer> run_check(Session& session, const CallRequest& request) {
  const auto warm = session.mep_of(request);
  if (!warm) return fail(warm.error());
  const auto candidate = candidate_in(request, session.workspace(), (*warm)->mep(), (*warm)->setup().device());
  if (!candidate) return fail(candidate.error());
  const auto proposer = agent_proposer(request.agent);
  const auto effort = effort_in(request);
  if (!effort) return fail(effort.error());
  const auto checked = (*warm)->check(candidate->made_of, candidate->configuration, proposer, *effort);
  if (!checked) return fail(checked.error());
  Answer answer;
  answer.code = std::holds_alternative<Timed>(checked->confirmed.verdict) ? ExitCode::Yes : ExitCode::No;
  answer.text = checked_text(*checked);
  answer.data = checked_json(*checked);
  answer.data["proposer"] = proposer;
  answer.data["mended"] = candidate->mended;
  for (const auto& line : candidate->mended) answer.text += "  mended: " + line + "\n";
  return answer;
}

}  // namespace

const Call check_call = {
    "check",
    "Judges one candidate at one configuration. A look first: it is built, its outputs are compared with the "
    "original's on "
    "tuned and awkward sizes, and it is timed. What looks faster is then proven: held-out and freshly drawn sizes, "
    "races, "
    "precision, and pairs of runs against the original in fresh processes. `proven` is true only when all of that "
    "holds.",
    with_candidate({{"effort", CallParameter::Kind::Text,
                     "look: no proof, whatever it finds; prove: a proof, whatever a look would find"}}),
    run_check};

}  // namespace hone::app
