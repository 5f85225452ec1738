// g = A(m): what the measurements and the accesses of the original, or of a candidate, suggest.
#include <fmt/format.h>

#include "app/calls/all_calls.hpp"
#include "app/session/looked_at.hpp"

namespace hone::app {
namespace {

Result<Answer> run_suggest(Session& session, const CallRequest& request) {
  auto seen = look_at(session, request);
  if (!seen) return fail(std::move(seen).error());
  if (seen->refused) return *seen->refused;
  Answer answer;
  answer.data = {{"suggestions", nlohmann::json::array()}, {"moves", seen->moves}, {"proven", false}};
  for (const auto& one : seen->advice.suggestions) {
    answer.text += fmt::format("{} of {}: {} ({})\n", name_of(one.kind), one.target, one.sentence, one.evidence);
    answer.data["suggestions"].push_back(
        {{"kind", name_of(one.kind)}, {"target", one.target}, {"sentence", one.sentence}, {"evidence", one.evidence}});
  }
  if (seen->advice.suggestions.empty()) answer.text += "nothing stands out in what was measured\n";
  for (const auto& move : seen->moves) answer.text += move + "\n";
  return answer;
}

}  // namespace

const Call suggest_call = {"suggest",
                           "What the measurements and accesses of the original, or of a candidate, suggest to change, "
                           "and which rules apply to the original.",
                           with_candidate({}), run_suggest};

}  // namespace hone::app
