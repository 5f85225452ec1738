#include "judge/check.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace hone::judge {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t kTrim = 3;  // the papers drop the three lowest and highest of thirty

CheckReport rejected(Verdict verdict, std::vector<std::string> notes) {
  CheckReport report;
  report.defence = defence_of(verdict);
  report.reason = reason_of(verdict);
  report.verdict = std::move(verdict);
  report.notes = std::move(notes);
  return report;
}

void add(std::vector<std::string>& notes, const std::vector<std::string>& more) {
  notes.insert(notes.end(), more.begin(), more.end());
}

Json to_json(const Comparison& comparison) {
  return {{"call", name_of(comparison.call)}, {"ratio", comparison.ratio},           {"low", comparison.low},
          {"high", comparison.high},          {"confidence", comparison.confidence}, {"pairs", comparison.runs}};
}

Json to_json(const Timed& timed) {
  return {{"median_ms", median(timed.span).count() / 1e6},
          {"trimmed_mean_ms", trimmed_mean(timed.span, kTrim).count() / 1e6},
          {"busy_median_ms", median(timed.busy).count() / 1e6},
          {"runs", timed.span.size()},
          {"caches", "warm"}};
}

Json to_json(const WorkloadComparison& one) {
  return {{"workload", one.workload},
          {"role", name_of(one.role)},
          {"comparison", to_json(one.comparison)},
          {"original", to_json(one.incumbent)},
          {"candidate", to_json(one.challenger)}};
}

std::string words(const Comparison& c) {
  return fmt::format("{} {:.3f}x [{:.3f}, {:.3f}]", name_of(c.call), c.ratio, c.low, c.high);
}

}  // namespace

Result<CheckReport> check_candidate(Judge& judge, const Variant& candidate) {
  auto judged = judge.judge(candidate);
  if (!judged) return fail(std::move(judged).error());
  auto notes = judge.notes();
  add(notes, judged->notes);
  if (!std::holds_alternative<Timed>(judged->verdict)) return rejected(std::move(judged->verdict), std::move(notes));
  auto confirmed = judge.confirm(candidate, original(judge.mep()), true);
  if (!confirmed) return fail(std::move(confirmed).error());
  add(notes, confirmed->notes);
  if (!std::holds_alternative<Timed>(confirmed->verdict))
    return rejected(std::move(confirmed->verdict), std::move(notes));
  CheckReport report;
  report.checks = judged->checks;
  add(report.checks, confirmed->checks);
  report.verdict = std::move(confirmed->verdict);
  report.comparison = confirmed->comparison;
  report.workloads = std::move(confirmed->workloads);
  auto floor = judge.noise_floor();
  if (!floor) return fail(std::move(floor).error());
  report.noise_floor = *floor;
  report.notes = std::move(notes);
  return report;
}

Result<CheckReport> check_original(Judge& judge) {
  auto judged = judge.judge(original(judge.mep()));
  if (!judged) return fail(std::move(judged).error());
  auto report = rejected(std::move(judged->verdict), judge.notes());
  report.checks = judged->checks;
  add(report.notes, judged->notes);
  if (!std::holds_alternative<Timed>(report.verdict)) return report;
  auto floor = judge.noise_floor();
  if (!floor) return fail(std::move(floor).error());
  report.noise_floor = *floor;
  return report;
}

std::string to_json(const CheckReport& report) {
  Json out = {{"verdict", name_of(report.verdict)}};
  out["comparison"] = report.comparison ? Json(std::string(name_of(report.comparison->call))) : Json(nullptr);
  out["defence"] = report.defence.empty() ? Json(nullptr) : Json(report.defence);
  out["reason"] = report.reason.empty() ? Json(nullptr) : Json(report.reason);
  if (report.comparison) out["interval"] = to_json(*report.comparison);
  if (const auto* timed = std::get_if<Timed>(&report.verdict)) out["time"] = to_json(*timed);
  if (report.noise_floor) out["noise_floor"] = *report.noise_floor;
  out["workloads"] = Json::array();
  for (const auto& workload : report.workloads) out["workloads"].push_back(to_json(workload));
  out["checks"] = report.checks;
  out["notes"] = report.notes;
  return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string to_text(const CheckReport& report) {
  std::string out(name_of(report.verdict));
  if (report.comparison) out += "  " + words(*report.comparison) + " against K(0)";
  if (const auto* timed = std::get_if<Timed>(&report.verdict)) {
    out += fmt::format("  {:.3f} ms (median of {}, warm; trimmed mean {:.3f} ms)", median(timed->span).count() / 1e6,
                       timed->span.size(), trimmed_mean(timed->span, kTrim).count() / 1e6);
  }
  if (!report.defence.empty()) out += "  by " + report.defence;
  out += "\n";
  if (!report.reason.empty()) out += "  " + report.reason + "\n";
  for (const auto& one : report.workloads)
    out += fmt::format("  {:10} {:9} {}\n", one.workload, name_of(one.role), words(one.comparison));
  if (report.noise_floor) out += fmt::format("  noise floor of this machine: {:.1f}%\n", *report.noise_floor * 100);
  for (const auto& check : report.checks) out += "  checked: " + check + "\n";
  for (const auto& note : report.notes) out += "  note: " + note + "\n";
  return out;
}

}  // namespace hone::judge
