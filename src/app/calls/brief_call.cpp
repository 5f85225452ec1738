#include "app/calls/brief_call.hpp"

#include "agents/prompts.hpp"
#include "app/calls/all_calls.hpp"
#include "app/session/session.hpp"
#include "rules/all_rules.hpp"

namespace hone::app {

Answer brief_of(WarmMep& warm) {
  const auto context = warm.told();
  Answer answer;
  answer.text = agents::stable_prompt(context, rules::rule_forms());
  answer.data = {{"text", answer.text},
                 {"device", context.briefing.device},
                 {"loops", context.briefing.loops},
                 {"moves", context.briefing.moves}};
  return answer;
}

namespace {

Result<Answer> run_brief(Session& session, const CallRequest& request) {
  const auto warm = session.mep_of(request);
  if (!warm) return fail(warm.error());
  return brief_of(**warm);
}

}  // namespace

const Call brief_call = {
    "brief",
    "What is known of the kernel, its arguments, loops and device, which rules apply, and the forms "
    "a candidate may have. Read it before the first candidate.",
    {{"mep", CallParameter::Kind::Text, "the MEP folder, in the workspace; absent: the one in use"}},
    run_brief};

}  // namespace hone::app
