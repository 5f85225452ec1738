#include "app/outcome_answer.hpp"

#include "rules/all_rules.hpp"

namespace hone::app {

report::Run run_of(const Mep& mep, const Improved& improved) {
  const auto& outcome = improved.outcome;
  report::Run run;
  run.kernel = mep.kernels.front().name;
  run.device = improved.device.name;
  run.proof = outcome.proof;
  run.winner = outcome.winner;
  run.rules = rules::rule_forms();
  run.rationale = outcome.winner_template.rationale;
  run.attempts = outcome.attempts;
  run.reasons = outcome.reasons;
  run.fidelity = mep.fidelity;
  run.evaluations = outcome.evaluations;
  run.failures = outcome.failures;
  run.rounds = outcome.rounds;
  run.took = outcome.took;
  run.interrupted = outcome.interrupted;
  run.ended = outcome.ended;
  run.first_proof = outcome.first_proof;
  run.least = improved.least;
  run.original = outcome.original;
  run.notes = improved.notes;
  if (outcome.proof) run.notes.insert(run.notes.end(), outcome.proof->notes.begin(), outcome.proof->notes.end());
  return run;
}

Answer answer_of(const report::Run& run, const Improved& improved) {
  Answer answer;
  answer.code = run.proof ? ExitCode::Yes : ExitCode::No;
  answer.text = report::summary(run);
  answer.data = report::data(run);
  answer.data["run"] = improved.run;
  return answer;
}

}  // namespace hone::app
