#include "app/outcome_answer.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "rules/all_rules.hpp"

namespace hone::app {

namespace {

std::optional<double> ratio_on(const std::optional<Confirmation>& proof, const std::string& workload) {
  if (!proof) return std::nullopt;
  for (const auto& one : proof->workloads)
    if (one.workload == workload && one.comparison.call != Comparison::Call::Busy) return one.comparison.ratio;
  return std::nullopt;
}

std::string condition_text(const loop::SizeChoice& choice) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : choice.when) parts.push_back(name + " == " + print(value));
  return join(parts, " and ");
}

report::Shapes shapes_of(const loop::Outcome& outcome) {
  report::Shapes out;
  const auto& found = *outcome.shapes;
  out.general = outcome.winner.configuration;
  out.why_not = found.why_not;
  for (const auto& own : found.own) out.choice.emplace_back(condition_text(own), own.configuration);
  for (const auto& one : outcome.proof->workloads) {
    if (one.role == Role::Awkward) continue;
    report::ShapeLine line{one.workload, one.role, ratio_on(outcome.proof, one.workload), {}, {}};
    // Without a choice every shape gets the general configuration.
    line.per_shape = found.own.empty() ? line.general : ratio_on(found.proof, one.workload);
    for (const auto& own : found.own)
      if (std::ranges::find(own.workloads, one.workload) != own.workloads.end()) line.own = own.configuration;
    out.lines.push_back(std::move(line));
  }
  return out;
}

}  // namespace

report::Run run_of(const Mep& mep, const Improved& improved) {
  const auto& outcome = improved.outcome;
  report::Run run;
  run.kernel = mep.kernels.front().name;
  run.device = improved.device.name;
  run.proof = outcome.proof;
  run.winner = outcome.winner;
  if (outcome.shapes && outcome.proof) run.shapes = shapes_of(outcome);
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
  if (!improved.recording.empty()) answer.data["recording"] = improved.recording;
  return answer;
}

}  // namespace hone::app
