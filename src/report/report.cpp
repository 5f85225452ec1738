#include "report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "report/progress_line.hpp"
#include "report/repairs.hpp"
#include "report/time_text.hpp"

namespace hone::report {
namespace {

std::vector<std::string> what_changed(const Run& run) {
  auto words = in_words(run.winner.schedule, run.winner.configuration, run.rules);
  if (words.empty() && !run.rationale.empty()) words.push_back(run.rationale);
  if (words.empty()) words.push_back(run.winner.template_name);
  return words;
}

std::string title(const Run& run) {
  const std::string of = run.application.empty() ? run.kernel : fmt::format("{} in {}", run.kernel, run.application);
  if (run.proof) return fmt::format("{}: {} on {}", of, speedup_text(run.proof->comparison), run.device);
  return fmt::format("{}: nothing faster was proven on {}", of, run.device);
}

std::string effort(const Run& run) {
  return fmt::format("{} variants tried in {} round{}, {} of them rejected, {}{}{}", run.evaluations, run.rounds,
                     run.rounds == 1 ? "" : "s", run.failures, duration_text(run.took),
                     run.ended.empty() || run.interrupted ? "" : "; ended by: " + run.ended,
                     run.interrupted ? "; interrupted, the same command goes on from here" : "");
}

/// "2% of the least possible 4.1 ms": how far a time is from what the device allows.
std::string of_least(const Run& run, const std::string& workload, Nanoseconds time) {
  const auto least = run.least.find(workload);
  if (least == run.least.end() || time.count() <= 0) return {};
  return fmt::format("the least possible {} is {:.0f}% of it", time_text(least->second), 100 * (least->second / time));
}

std::vector<std::string> measured(const Run& run) {
  std::vector<std::string> out;
  if (!run.proof) {
    for (const auto& [workload, timed] : run.original)
      if (const auto share = of_least(run, workload, median(timed.span)); !share.empty())
        out.push_back(fmt::format("{}: {}; {}", workload, time_text(median(timed.span)), share));
    return out;
  }
  for (const auto& one : run.proof->workloads) {
    const auto share = of_least(run, one.workload, one.comparison.challenger);
    out.push_back(fmt::format("{} ({}): {}{}", one.workload, name_of(one.role), comparison_text(one.comparison),
                              share.empty() ? "" : "; " + share));
  }
  return out;
}

nlohmann::json least_data(const Run& run) {
  nlohmann::json out = nlohmann::json::object();
  for (const auto& [workload, least] : run.least) {
    out[workload] = {{"least_ns", least.count()}};
    if (const auto before = run.original.find(workload); before != run.original.end() && !before->second.span.empty())
      out[workload]["original_share"] = least / median(before->second.span);
    if (!run.proof) continue;
    for (const auto& one : run.proof->workloads)
      if (one.workload == workload && one.comparison.challenger.count() > 0)
        out[workload]["winner_share"] = least / one.comparison.challenger;
  }
  return out;
}

std::vector<std::string> checked(const Run& run) {
  if (!run.proof) return {};
  auto out = run.proof->checks;
  if (run.proof->noise_floor)
    out.push_back(fmt::format("noise floor of this machine: {:.1f}%", 100 * *run.proof->noise_floor));
  return out;
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

/// Three significant digits, without an exponent.
std::string digits(double ratio) { return fmt::format("{:.{}f}", ratio, ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0); }

/// As a person reads it from the page.
double shown(Nanoseconds time) {
  const auto digits_left = 3 - static_cast<int>(std::floor(std::log10(std::max(time.count(), 1e-9))));
  const double scale = std::pow(10.0, digits_left);
  return std::round(time.count() * scale) / scale;
}

nlohmann::json to_json(const Configuration& configuration) {
  nlohmann::json out = nlohmann::json::object();
  for (const auto& [name, value] : configuration)
    std::visit([&, key = name](const auto& item) { out[key] = item; }, value);
  return out;
}

nlohmann::json to_json(const Attempt& attempt) {
  return {{"round", attempt.round},
          {"proposer", attempt.proposer},
          {"template", attempt.template_name},
          {"rationale", attempt.rationale},
          {"schedule", lines_of(attempt.schedule)},
          {"best", to_json(attempt.best)},
          {"fate", attempt.fate},
          {"reason", attempt.reason},
          {"speedup", attempt.speedup},
          {"share_of_least_time", attempt.of_least}};
}

/// Not shown says nothing against the claim, which was measured without the application.
std::string engagement_text(const ValidationLine& validation) {
  return validation.engaged ? validation.engagement
                            : "NOT SHOWN that the application ran the shipped kernel: " + validation.engagement;
}

/// A cell of a Markdown table.
std::string cell(std::string text) { return replace_all(replace_all(std::move(text), "|", "\\|"), "\n", " "); }

std::string claim_table(const Run& run) {
  std::string out = "| workload | role | before | after | speedup |\n|---|---|---|---|---|\n";
  for (const auto& one : run.proof->workloads)
    out += fmt::format("| {} | {} | {} | {} | {} |\n", cell(one.workload), name_of(one.role),
                       time_text(one.comparison.incumbent), time_text(one.comparison.challenger),
                       speedup_text(one.comparison));
  return out;
}

std::string launch_sentence(const std::string& kernel, const std::string& tier) {
  if (tier == "sizes") return fmt::format("{}: its launch gets new sizes where it stands.", kernel);
  if (tier == "adapter")
    return fmt::format("{}: its launch goes through hone_launch.h, which leaves other kernels alone.", kernel);
  return fmt::format("{}: its launch stays as it is.", kernel);
}

}  // namespace

std::string speedup_text(const Comparison& comparison) {
  if (comparison.call == Comparison::Call::Busy) return "no figure: others used the machine";
  const bool timed = comparison.challenger > Nanoseconds(0);
  const double ratio = timed ? shown(comparison.incumbent) / shown(comparison.challenger) : comparison.ratio;
  return fmt::format("{}x ({} to {} at {:.0f}%, {} pairs)", digits(ratio), digits(comparison.low),
                     digits(comparison.high), comparison.confidence * 100, comparison.pairs);
}

std::string comparison_text(const Comparison& comparison) {
  if (comparison.challenger <= Nanoseconds(0) || comparison.call == Comparison::Call::Busy)
    return speedup_text(comparison);
  return fmt::format("{} -> {}, {}", time_text(comparison.incumbent), time_text(comparison.challenger),
                     speedup_text(comparison));
}

std::string time_text(Nanoseconds time) {
  const auto text = [ns = shown(time)](double unit, const char* name) {
    const double value = ns / unit;
    return fmt::format("{:.{}f} {}", value, value < 10 ? 3 : value < 100 ? 2 : value < 1000 ? 1 : 0, name);
  };
  const double ns = shown(time);
  if (ns < 1e3) return text(1, "ns");
  if (ns < 1e6) return text(1e3, "us");
  if (ns < 1e9) return text(1e6, "ms");
  return text(1e9, "s");
}

std::string summary(const Run& run) {
  std::string out = title(run) + "\n";
  if (run.proof) section(out, "What changed", what_changed(run));
  section(out, "Measured", measured(run));
  if (run.shapes) section(out, "Shapes", in_words(*run.shapes));
  section(out, "Checked", checked(run));
  if (!run.proof) section(out, "Why not", run.reasons);
  section(out, "For the reviewer", run.notes);
  if (run.validation)
    out += fmt::format("Validated: `{}` {}\n", run.validation->command,
                       run.validation->passed ? "passes with and without the patch" : "FAILS with the patch") +
           "Engaged: " + engagement_text(*run.validation) + "\n";
  if (!run.patch_file.empty())
    out += fmt::format("Patch: {} (apply with: patch -p1 < {})\n", run.patch_file, run.patch_file);
  return out + "Effort: " + effort(run) + "\n" + (run.spent.total().count() > 0 ? spent_text(run.spent) : "");
}

std::string markdown(const Run& run) {
  std::string out = "# " + title(run) + "\n\n";
  if (run.proof) {
    out += "## What changed\n\n";
    for (const auto& sentence : what_changed(run)) out += "- " + sentence + "\n";
    out += fmt::format("\nProposed by {} as `{}`", run.winner.proposer, run.winner.template_name);
    if (!run.winner.configuration.empty()) out += fmt::format(" with `{}`", print(run.winner.configuration));
    out += ".\n\n";
  }
  if (run.proof && !run.proof->workloads.empty()) out += "## Measured\n\n" + claim_table(run) + "\n";
  if (run.shapes) {
    out += "## General and per shape\n\n";
    for (const auto& line : in_words(*run.shapes)) out += "- " + line + "\n";
    out += "\n";
  }
  out += "## How it was checked\n\n";
  for (const auto& check : checked(run)) out += "- " + check + "\n";
  out += "- inputs: " + fidelity_text(run.fidelity) + "\n";
  if (run.validation)
    out += fmt::format("- the application's own check, `{}`: {}\n- engaged: {}\n", run.validation->command,
                       run.validation->passed ? "passes" : "fails", engagement_text(*run.validation));
  if (!run.attempts.empty()) {
    out +=
        "\n## What was tried\n\n| round | by | template | fate | speedup | of the least time | why "
        "|\n|---|---|---|---|---|---|---|\n";
    for (const auto& attempt : run.attempts)
      out += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", attempt.round, cell(attempt.proposer),
                         cell(attempt.template_name), attempt.fate,
                         attempt.speedup > 0 ? fmt::format("{:.2f}x", attempt.speedup) : "",
                         attempt.of_least > 0 ? fmt::format("{:.0f}%", 100 * attempt.of_least) : "",
                         cell(attempt.reason.substr(0, 200)));
  }
  for (const auto& [kind, rate] : repair_rates(run.attempts))
    out += fmt::format("\nRepairs of {}: {} of {} could then be timed.\n", kind, rate.mended, rate.tried);
  if (!run.reasons.empty()) {
    out += "\n## Why not more\n\n";
    for (const auto& reason : run.reasons) out += "- " + reason + "\n";
  }
  if (!run.diff.empty()) out += "\n## The patch\n\n~~~~diff\n" + run.diff + "~~~~\n";
  out += "\n" + effort(run) + ".\n";
  return run.spent.total().count() > 0 ? out + "\n" + spent_text(run.spent) : out;
}

std::string mail(const Run& run) {
  if (!run.proof) return run.diff;
  const auto figure = speedup_text(run.proof->comparison);
  std::string out =
      "From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001\nFrom: Hone <hone@localhost>\n" +
      fmt::format("Subject: [PATCH] {}: {} faster on {}\n\n", run.kernel, figure.substr(0, figure.find(' ')),
                  run.device);
  for (const auto& sentence : what_changed(run)) out += "- " + sentence + "\n";
  for (const auto& [kernel, tier] : run.launch_tiers) out += "- " + launch_sentence(kernel, tier) + "\n";
  out += "\nMeasured by Hone, the kernel alone against the one before this change, in pairs:\n\n" + claim_table(run) +
         "\n";
  if (!run.sizes_tried.empty()) out += "Sizes tried: " + join(run.sizes_tried, ", ") + ".\n";
  for (const auto& check : checked(run)) out += "Checked: " + check + ".\n";
  if (run.validation)
    out += fmt::format("Validated: `{}` {}.\nEngaged: {}.\n", run.validation->command,
                       run.validation->passed ? "passes with and without this change" : "FAILS with this change",
                       engagement_text(*run.validation));
  return out + "---\n\n" + run.diff;
}

nlohmann::json data(const Run& run) {
  nlohmann::json out = {{"kernel", run.kernel},         {"application", run.application},
                        {"device", run.device},         {"faster", run.proof.has_value()},
                        {"checks", checked(run)},       {"reasons", run.reasons},
                        {"notes", run.notes},           {"evaluations", run.evaluations},
                        {"failures", run.failures},     {"rounds", run.rounds},
                        {"seconds", run.took.count()},  {"interrupted", run.interrupted},
                        {"ended", run.ended},           {"least", least_data(run)},
                        {"time", spent_data(run.spent)}};
  out["first_proof_seconds"] = run.first_proof ? nlohmann::json(run.first_proof->count()) : nlohmann::json();
  out["original_ns"] = nlohmann::json::object();
  for (const auto& [workload, timed] : run.original) out["original_ns"][workload] = median(timed.span).count();
  out["comparison"] = run.proof ? as_json(run.proof->comparison) : nlohmann::json();
  out["winner"] = nullptr;
  if (run.proof)
    out["winner"] = {{"template", run.winner.template_name},
                     {"proposer", run.winner.proposer},
                     {"schedule", lines_of(run.winner.schedule)},
                     {"configuration", to_json(run.winner.configuration)},
                     {"words", what_changed(run)},
                     {"source", run.winner.variant.source}};
  out["workloads"] = nlohmann::json::array();
  if (run.proof)
    for (const auto& one : run.proof->workloads) out["workloads"].push_back(as_json(one));
  if (run.shapes) out["shapes"] = data(*run.shapes);
  for (const auto& [kind, rate] : repair_rates(run.attempts))
    out["repairs"][kind] = {{"tried", rate.tried}, {"mended", rate.mended}};
  out["attempts"] = nlohmann::json::array();
  for (const auto& attempt : run.attempts) out["attempts"].push_back(to_json(attempt));
  out["patch"] = run.patch_file.empty() && run.diff.empty()
                     ? nlohmann::json()
                     : nlohmann::json{{"file", run.patch_file}, {"diff", run.diff}, {"launches", run.launch_tiers}};
  out["validation"] = run.validation ? nlohmann::json{{"command", run.validation->command},
                                                      {"passed", run.validation->passed},
                                                      {"engaged", run.validation->engaged},
                                                      {"engagement", run.validation->engagement},
                                                      {"launches", run.validation->launches}}
                                     : nlohmann::json();
  return out;
}

}  // namespace hone::report
