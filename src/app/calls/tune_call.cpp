// The search of a candidate's parameters, or of what the rules propose, and the proof of what it finds.
#include <fmt/format.h>

#include "app/calls/all_calls.hpp"
#include "app/improve.hpp"
#include "app/outcome_answer.hpp"
#include "app/reports.hpp"
#include "app/session/candidate.hpp"
#include "app/session/session.hpp"
#include "app/tuned_answer.hpp"
#include "search/budget_text.hpp"

namespace hone::app {
namespace {

constexpr Seconds kLongestTune(600);

/// Nobody hears of this session for longer.
Result<std::string> tuning_budget(const CallRequest& request) {
  const auto text = request.has("budget") ? request.text("budget") : std::string("20s");
  const auto budget = search::parse_budget(text);
  if (!budget) return fail(budget.error());
  if (budget->seconds && *budget->seconds > kLongestTune)
    return fail("E-BUDGET", fmt::format("{} is longer than the {} s a call may take", text, kLongestTune.count()),
                "tune again with another part of the space");
  return text;
}

TimeSpent since(const TimeSpent& before, const TimeSpent& after) {
  TimeSpent out;
  for (const auto purpose : all_purposes)
    for (const auto activity : all_activities)
      out.add(purpose, activity, after.on(purpose, activity) - before.on(purpose, activity));
  return out;
}

nlohmann::json values_of(const Configuration& configuration) {
  auto out = nlohmann::json::object();
  for (const auto& [name, value] : configuration)
    out[name] = std::visit([](const auto& one) { return nlohmann::json(one); }, value);
  return out;
}

Result<Answer> run_tune(Session& session, const CallRequest& request) {
  const auto found = session.mep_of(request);
  if (!found) return fail(found.error());
  auto& warm = **found;
  ImproveOptions options;
  options.rules = request.flag("rules");
  options.seed = session.wishes().seed;
  options.device = session.options().device;
  options.check_command = session.options().check_command;
  options.proposer = agent_proposer(request.agent);
  auto budget = tuning_budget(request);
  if (!budget) return fail(std::move(budget).error());
  options.budget = *budget;
  if (names_candidate(request)) {
    auto candidate = candidate_in(request, session.workspace(), warm.mep(), warm.setup().device());
    if (!candidate) return fail(std::move(candidate).error());
    for (auto& parameter : candidate->made_of.space.parameters)
      parameter.default_value = candidate->configuration.at(parameter.name);
    options.own.push_back(std::move(candidate->made_of));
  } else if (!options.rules) {
    return fail("E-REQUEST", "tune: there is nothing to tune", "give a candidate, or `rules`: true, or both");
  }
  const auto before = warm.ledger().so_far();
  const auto improved =
      improve_with(warm.setup(), warm.mep(), options, session.console(), warm.ledger(), warm.limits());
  if (!improved) return fail(improved.error());
  const auto& outcome = improved->outcome;
  if (outcome.proof) warm.remember({outcome.winner, outcome.winner_template, *outcome.proof});
  auto run = run_of(warm.mep(), *improved);
  run.spent = since(before, warm.ledger().so_far());
  if (auto kept = keep_report(improved->run, run); !kept)
    run.notes.push_back("report not kept: " + kept.error().message());
  auto answer = answer_of(run, *improved);
  if (auto done = add_insight(answer, outcome); !done) return fail(std::move(done).error());
  answer.data["proven"] = outcome.proof && outcome.proof->proves_faster();
  answer.data["proposer"] = options.proposer;
  if (outcome.proof) answer.data["configuration"] = values_of(outcome.winner.configuration);
  return answer;
}

}  // namespace

const Call tune_call = {
    "tune",
    "Searches the parameters of a candidate within a budget, and proves the best point against the original. With "
    "`rules` true the rules propose beside it, or alone. What it proves is remembered for `apply`.",
    with_candidate({{"budget", CallParameter::Kind::Text,
                     "how long: 20s, 2m, a number of evaluations, or both (50,30s); 20s when absent"},
                    {"rules", CallParameter::Kind::Flag, "let the rules propose too"}}),
    run_tune};

}  // namespace hone::app
