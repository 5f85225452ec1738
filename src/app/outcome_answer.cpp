#include "app/outcome_answer.hpp"

#include <fmt/format.h>

namespace hone::app {
namespace {

std::vector<std::string> checks_of(const Improved& improved) {
  auto out = improved.outcome.proof->checks;
  if (improved.noise_floor > 0)
    out.push_back(fmt::format("noise floor of this machine now: {:.1f}%", 100 * improved.noise_floor));
  return out;
}

}  // namespace

report::Run run_of(const Mep& mep, const Improved& improved) {
  const auto& outcome = improved.outcome;
  report::Run run;
  run.kernel = mep.kernels.front().name;
  run.device = improved.device.name;
  run.faster = outcome.proof.has_value();
  run.winner = outcome.winner;
  run.rationale = outcome.winner_template.rationale;
  run.attempts = outcome.attempts;
  run.reasons = outcome.reasons;
  run.fidelity = mep.fidelity;
  run.evaluations = outcome.evaluations;
  run.failures = outcome.failures;
  run.rounds = outcome.rounds;
  run.took = outcome.took;
  run.interrupted = outcome.interrupted;
  run.notes = improved.notes;
  if (!outcome.proof) return run;
  run.comparison = outcome.proof->comparison;
  run.checks = checks_of(improved);
  run.notes.insert(run.notes.end(), outcome.proof->notes.begin(), outcome.proof->notes.end());
  for (const auto& w : outcome.proof->workloads)
    run.workloads.push_back({w.workload, w.role, median(w.incumbent.span), median(w.challenger.span), w.comparison});
  return run;
}

Answer answer_of(const report::Run& run, const Improved& improved) {
  Answer answer;
  answer.code = run.faster ? ExitCode::Yes : ExitCode::No;
  answer.text = report::summary(run);
  answer.data = report::data(run);
  answer.data["run"] = improved.run;
  return answer;
}

}  // namespace hone::app
