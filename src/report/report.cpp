#include "report/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "report/progress_line.hpp"
#include "report/words.hpp"

namespace hone::report {
namespace {

std::vector<std::string> what_changed(const Run& run) {
  auto words = in_words(run.winner.schedule, run.winner.configuration);
  if (words.empty() && !run.rationale.empty()) words.push_back(run.rationale);
  if (words.empty()) words.push_back(run.winner.template_name);
  return words;
}

std::string title(const Run& run) {
  const std::string of = run.application.empty() ? run.kernel : fmt::format("{} in {}", run.kernel, run.application);
  if (run.faster) return fmt::format("{}: {} on {}", of, speedup_text(run.comparison), run.device);
  return fmt::format("{}: nothing faster was proven on {}", of, run.device);
}

std::string effort(const Run& run) {
  return fmt::format("{} variants tried in {} round{}, {} of them rejected, {}{}", run.evaluations, run.rounds,
                     run.rounds == 1 ? "" : "s", run.failures, duration_text(run.took),
                     run.interrupted ? "; interrupted, the same command goes on from here" : "");
}

std::string workload_text(const WorkloadLine& line) {
  return fmt::format("{} ({}): {} -> {}, {}", line.name, name_of(line.role), time_text(line.before),
                     time_text(line.after), speedup_text(line.comparison));
}

std::string fidelity_text(const Fidelity& fidelity) {
  std::string out = fmt::format("values of class {}", fidelity.values);
  if (fidelity.mutants_total > 0)
    out += fmt::format(", {} of {} mutants caught", fidelity.mutants_killed, fidelity.mutants_total);
  return out;
}

void section(std::string& out, const std::string& name, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  out += name + "\n";
  for (const auto& line : lines) out += "  - " + line + "\n";
}

nlohmann::json to_json(const Comparison& comparison) {
  return {{"call", name_of(comparison.call)}, {"ratio", comparison.ratio},           {"low", comparison.low},
          {"high", comparison.high},          {"confidence", comparison.confidence}, {"runs", comparison.runs}};
}

nlohmann::json to_json(const Configuration& configuration) {
  nlohmann::json out = nlohmann::json::object();
  for (const auto& [name, value] : configuration)
    std::visit([&, key = name](const auto& item) { out[key] = item; }, value);
  return out;
}

nlohmann::json to_json(const Attempt& attempt) {
  return {{"round", attempt.round},         {"proposer", attempt.proposer}, {"template", attempt.template_name},
          {"rationale", attempt.rationale}, {"schedule", attempt.schedule}, {"best", to_json(attempt.best)},
          {"fate", attempt.fate},           {"reason", attempt.reason},     {"speedup", attempt.speedup}};
}

/// A cell of a Markdown table.
std::string cell(std::string text) { return replace_all(replace_all(std::move(text), "|", "\\|"), "\n", " "); }

}  // namespace

std::string speedup_text(const Comparison& comparison) {
  return fmt::format("{:.2f}x ({:.2f} to {:.2f} at {:.0f}%, {} pairs)", comparison.ratio, comparison.low,
                     comparison.high, comparison.confidence * 100, comparison.runs);
}

std::string time_text(Nanoseconds time) {
  if (time.count() < 1e3) return fmt::format("{:.0f} ns", time.count());
  if (time.count() < 1e6) return fmt::format("{:.3g} us", time.count() / 1e3);
  if (time.count() < 1e9) return fmt::format("{:.3f} ms", time.count() / 1e6);
  return fmt::format("{:.3f} s", time.count() / 1e9);
}

std::string summary(const Run& run) {
  std::string out = title(run) + "\n";
  if (run.faster) section(out, "What changed", what_changed(run));
  std::vector<std::string> workloads;
  workloads.reserve(run.workloads.size());
  for (const auto& line : run.workloads) workloads.push_back(workload_text(line));
  section(out, "Measured", workloads);
  section(out, "Checked", run.checks);
  if (!run.faster) section(out, "Why not", run.reasons);
  section(out, "For the reviewer", run.notes);
  if (run.validation)
    out += fmt::format("Validated: `{}` {}\n", run.validation->command,
                       run.validation->passed ? "passes with and without the patch" : "FAILS with the patch");
  if (!run.patch_file.empty())
    out += fmt::format("Patch: {} (apply with: patch -p1 < {})\n", run.patch_file, run.patch_file);
  return out + "Effort: " + effort(run) + "\n";
}

std::string markdown(const Run& run) {
  std::string out = "# " + title(run) + "\n\n";
  if (run.faster) {
    out += "## What changed\n\n";
    for (const auto& sentence : what_changed(run)) out += "- " + sentence + "\n";
    out += fmt::format("\nProposed by {} as `{}`", run.winner.proposer, run.winner.template_name);
    if (!run.winner.configuration.empty()) out += fmt::format(" with `{}`", print(run.winner.configuration));
    out += ".\n\n";
  }
  if (!run.workloads.empty()) {
    out += "## Measured\n\n| workload | role | before | after | speedup |\n|---|---|---|---|---|\n";
    for (const auto& line : run.workloads)
      out += fmt::format("| {} | {} | {} | {} | {} |\n", cell(line.name), name_of(line.role), time_text(line.before),
                         time_text(line.after), speedup_text(line.comparison));
    out += "\n";
  }
  out += "## How it was checked\n\n";
  for (const auto& check : run.checks) out += "- " + check + "\n";
  out += "- inputs: " + fidelity_text(run.fidelity) + "\n";
  if (run.validation)
    out += fmt::format("- the application's own check, `{}`: {}\n", run.validation->command,
                       run.validation->passed ? "passes" : "fails");
  if (!run.attempts.empty()) {
    out += "\n## What was tried\n\n| round | by | template | fate | speedup | why |\n|---|---|---|---|---|---|\n";
    for (const auto& attempt : run.attempts)
      out += fmt::format("| {} | {} | {} | {} | {} | {} |\n", attempt.round, cell(attempt.proposer),
                         cell(attempt.template_name), attempt.fate,
                         attempt.speedup > 0 ? fmt::format("{:.2f}x", attempt.speedup) : "",
                         cell(attempt.reason.substr(0, 200)));
  }
  if (!run.reasons.empty()) {
    out += "\n## Why not more\n\n";
    for (const auto& reason : run.reasons) out += "- " + reason + "\n";
  }
  if (!run.diff.empty()) out += "\n## The patch\n\n~~~~diff\n" + run.diff + "~~~~\n";
  return out + "\n" + effort(run) + ".\n";
}

nlohmann::json data(const Run& run) {
  nlohmann::json out = {{"kernel", run.kernel}, {"application", run.application}, {"device", run.device},
                        {"faster", run.faster}, {"checks", run.checks},           {"reasons", run.reasons},
                        {"notes", run.notes},   {"evaluations", run.evaluations}, {"failures", run.failures},
                        {"rounds", run.rounds}, {"seconds", run.took.count()},    {"interrupted", run.interrupted}};
  out["comparison"] = run.faster ? to_json(run.comparison) : nlohmann::json();
  out["winner"] = nullptr;
  if (run.faster)
    out["winner"] = {{"template", run.winner.template_name}, {"proposer", run.winner.proposer},
                     {"schedule", run.winner.schedule},      {"configuration", to_json(run.winner.configuration)},
                     {"words", what_changed(run)},           {"source", run.winner.variant.source}};
  out["workloads"] = nlohmann::json::array();
  for (const auto& line : run.workloads)
    out["workloads"].push_back({{"name", line.name},
                                {"role", name_of(line.role)},
                                {"before_ns", line.before.count()},
                                {"after_ns", line.after.count()},
                                {"comparison", to_json(line.comparison)}});
  out["attempts"] = nlohmann::json::array();
  for (const auto& attempt : run.attempts) out["attempts"].push_back(to_json(attempt));
  out["patch"] = run.patch_file.empty() && run.diff.empty()
                     ? nlohmann::json()
                     : nlohmann::json{{"file", run.patch_file}, {"diff", run.diff}};
  out["validation"] = run.validation
                          ? nlohmann::json{{"command", run.validation->command}, {"passed", run.validation->passed}}
                          : nlohmann::json();
  return out;
}

}  // namespace hone::report
