// hone check: runs the original on every workload; or judges one candidate, anyone's, against it; or checks the log.
#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/evaluator.hpp"
#include "app/instantiate.hpp"
#include "app/setting.hpp"
#include "loop/rounds.hpp"
#include "store/device_lock.hpp"
#include "store/trial_store.hpp"

namespace hone::app {
namespace {

using nlohmann::json;

struct CheckOptions {
  std::string mep, candidate;
  DeviceChoice device;
  std::uint64_t seed = 1;
  bool log = false;
};

json as_json(const Comparison& c) {
  return {{"call", name_of(c.call)}, {"ratio", c.ratio}, {"low", c.low}, {"high", c.high}, {"runs", c.runs}};
}

json times_of(const std::map<std::string, Timed>& times) {
  json out = json::object();
  for (const auto& [workload, timed] : times)
    out[workload] = {{"median_ms", median(timed.span).count() / 1e6},
                     {"trimmed_mean_ms", trimmed_mean(timed.span, 3).count() / 1e6},
                     {"runs", timed.span.size()}};
  return out;
}

Answer answer_for_original(const judge::Judgement& judgement) {
  Answer answer;
  const bool passed = std::holds_alternative<Timed>(judgement.verdict);
  answer.code = passed ? ExitCode::Yes : ExitCode::No;
  answer.data = {{"verdict", name_of(judgement.verdict)},
                 {"defence", defence_of(judgement.verdict)},
                 {"reason", reason_of(judgement.verdict)},
                 {"times", times_of(judgement.times)},
                 {"notes", judgement.notes}};
  answer.text = fmt::format("the original: {} {}\n", name_of(judgement.verdict), reason_of(judgement.verdict));
  for (const auto& [workload, timed] : judgement.times)
    answer.text += fmt::format("  {:<10} {:.3f} ms (median of {})\n", workload, median(timed.span).count() / 1e6,
                               timed.span.size());
  for (const auto& note : judgement.notes) answer.text += "  " + note + "\n";
  return answer;
}

Answer answer_for_candidate(const loop::Confirmed& confirmed) {
  Answer answer;
  const bool passed = std::holds_alternative<Timed>(confirmed.verdict);
  answer.code = passed ? ExitCode::Yes : ExitCode::No;
  answer.data = {{"verdict", name_of(confirmed.verdict)},  {"comparison", nullptr},    {"defence", nullptr},
                 {"reason", reason_of(confirmed.verdict)}, {"notes", confirmed.notes}, {"workloads", json::array()}};
  if (!defence_of(confirmed.verdict).empty()) answer.data["defence"] = defence_of(confirmed.verdict);
  answer.text = std::string(name_of(confirmed.verdict));
  if (!passed) {
    const auto defence = defence_of(confirmed.verdict);
    answer.text += fmt::format("{}: {}\n", defence.empty() ? "" : " (" + defence + ")", reason_of(confirmed.verdict));
    return answer;
  }
  const auto& c = confirmed.comparison;
  answer.data["comparison"] = as_json(c);
  answer.text += fmt::format(", {}: {:.3f}x [{:.3f}, {:.3f}] against the original over {} pairs\n", name_of(c.call),
                             c.ratio, c.low, c.high, c.runs);
  for (const auto& w : confirmed.workloads) {
    answer.text +=
        fmt::format("  {:<10} {:.3f} ms -> {:.3f} ms, {}\n", w.workload, median(w.incumbent.span).count() / 1e6,
                    median(w.challenger.span).count() / 1e6, name_of(w.comparison.call));
    answer.data["workloads"].push_back(
        {{"name", w.workload}, {"role", name_of(w.role)}, {"comparison", as_json(w.comparison)}});
  }
  for (const auto& note : confirmed.notes) answer.text += "  " + note + "\n";
  return answer;
}

Result<Answer> check_the_log() {
  const auto folder = state_folder();
  if (!folder) return fail(folder.error());
  const auto report = store::check_log(*folder + "/trials.db");
  if (!report) return fail(report.error());
  Answer answer;
  answer.code = report->problems.empty() ? ExitCode::Yes : ExitCode::No;
  answer.text = fmt::format("{} trials of {} runs, {} patterns: {}\n", report->trials, report->runs, report->patterns,
                            report->problems.empty() ? "sound" : "NOT sound");
  for (const auto& problem : report->problems) answer.text += "  " + problem + "\n";
  answer.data = {{"trials", report->trials},
                 {"runs", report->runs},
                 {"patterns", report->patterns},
                 {"schema", report->schema},
                 {"problems", report->problems}};
  return answer;
}

Result<Answer> check(const CheckOptions& options) {
  if (options.log) return check_the_log();
  if (options.mep.empty()) return fail("E-USAGE", "which MEP?", "hone check X.mep, or hone check --log");
  const auto mep = load_mep(options.mep);
  if (!mep) return fail(mep.error());
  const auto state = state_folder();
  if (!state) return fail(state.error());
  worker::WorkerSessions sessions(options.device.options());
  const auto turns = store::device_turns(*state, options.device.device.empty() ? "first" : options.device.device);
  judge::JudgeOptions judging;
  judging.seed = options.seed;
  judge::JudgePorts ports;
  ports.turns = turns.get();
  judge::Judge judge(*mep, sessions, judging, ports);
  const auto device = judge.device();
  if (!device) return fail(device.error());
  if (options.candidate.empty()) {
    const auto judgement = judge.judge(loop::original_of(*mep));
    if (!judgement) return fail(judgement.error());
    return answer_for_original(*judgement);
  }
  const auto candidate = load_template(options.candidate);
  if (!candidate) return fail(candidate.error());
  const Instantiator instantiate(*mep);
  const auto variant = instantiate(*candidate, default_configuration(candidate->space));
  if (!variant) return fail(variant.error());
  const auto confirmed = JudgeEvaluator(judge, *device).confirm(*variant, loop::original_of(*mep), true);
  if (!confirmed) return fail(confirmed.error());
  return answer_for_candidate(*confirmed);
}

}  // namespace

void add_check(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("check", "Runs the original, or judges a candidate of anyone's against it");
  auto options = std::make_shared<CheckOptions>();
  command->add_option("mep", options->mep, "A MEP folder");
  command->add_option("--template", options->candidate, "A template folder; its default configuration is judged");
  command->add_option("--seed", options->seed, "Seed of the contents")->capture_default_str();
  command->add_flag("--log", options->log, "Check that the log of trials is whole");
  options->device.add_options(*command);
  choose(command, chosen, [options] { return check(*options); });
}

}  // namespace hone::app
