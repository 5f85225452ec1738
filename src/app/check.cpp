// hone check: runs the original on every workload; or judges one candidate, anyone's, against it; or checks the log.
#include "judge/check.hpp"

#include <fmt/format.h>

#include "app/check_for.hpp"
#include "app/check_patch.hpp"
#include "app/commands.hpp"
#include "app/improve.hpp"
#include "app/on_emulator.hpp"
#include "app/session/warm_mep.hpp"
#include "app/test_quality.hpp"
#include "store/trial_store.hpp"

namespace hone::app {
namespace {

struct CheckOptions {
  std::string mep, candidate;
  DeviceChoice device;
  std::uint64_t seed = 1;
  bool log = false, mutants = false, explain = false;
  PatchCheck patch;
  std::string check_command, agent, architecture;
};

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

Result<Confirmation> judged(const CheckOptions& options, WarmMep& warm) {
  if (options.candidate.empty()) return judge::check_original(warm.setup().judge());
  const auto candidate = load_template(options.candidate);
  if (!candidate) return fail(candidate.error());
  return warm.prove(*candidate, default_configuration(candidate->space), agent_proposer(options.agent));
}

Result<Answer> check(const CheckOptions& options) {
  if (options.log) return check_the_log();
  if (!options.patch.patch.empty()) return check_patch(options.patch);
  if (options.mep.empty())
    return fail("E-USAGE", "which MEP?", "hone check X.mep, hone check --patch FILE --to DIR, or hone check --log");
  const auto mep = load_mep(options.mep);
  if (!mep) return fail(mep.error());
  if (options.explain) return explain(*mep);
  if (!options.architecture.empty()) return check_for(*mep, options.architecture, options.candidate, options.device);
  if (is_emulator(options.device.device) && !options.mutants)
    return check_on_emulator(*mep, options.candidate, options.device);
  if (options.mutants) return check_mutants(options.mep, *mep, options.device);
  const auto warm = WarmMep::open(options.mep, "", {options.device, options.seed, options.check_command});
  if (!warm) return fail(warm.error());
  const auto report = judged(options, **warm);
  if (!report) return fail(report.error());
  Answer answer;
  answer.code = std::holds_alternative<Timed>(report->verdict) ? ExitCode::Yes : ExitCode::No;
  answer.text = judge::to_text(*report);
  answer.data = judge::to_json(*report);
  return answer;
}

}  // namespace

void add_check(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("check", "Runs the original, or judges a candidate of anyone's against it");
  auto options = std::make_shared<CheckOptions>();
  command->add_option("mep", options->mep, "A MEP folder");
  command->add_option("--template", options->candidate, "A template folder; its default configuration is judged");
  command->add_option("--seed", options->seed, "Seed of the contents")->capture_default_str();
  command->add_option("--check-command", options->check_command,
                      "A shell command that decides whether outputs are right, instead of their types' rule");
  command->add_option("--agent", options->agent, "Who made the template, for the log: an agent's name");
  command->add_flag("--log", options->log, "Check that the log of trials is whole");
  command->add_option("--patch", options->patch.patch, "A shipped patch to try again on the application as it is");
  command->add_option("--to", options->patch.application, "The application's folder, with --patch");
  command->add_option(
      "--validate", options->patch.validate,
      "A shell command that must pass without and with the patch; the one it was shipped with otherwise");
  command->add_flag("--mutants", options->mutants,
                    "Put small faults into the kernel, list those no workload notices, note the score in the MEP");
  command->add_option(
      "--for", options->architecture,
      "Compile for a GPU that is not here (sm_86, gfx90a) and tell what the kernels need of it; runs nothing");
  command->add_flag("--explain", options->explain, "Say how each value of the MEP is known and what would help");
  options->device.add_options(*command);
  choose(command, chosen, [options] { return check(*options); });
}

}  // namespace hone::app
