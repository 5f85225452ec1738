#include "judge/check.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace hone::judge {
namespace {

constexpr std::size_t kTrim = 3;  // the papers drop the three lowest and highest of thirty

nlohmann::json samples(const Timed& timed) {
  return {{"median_ms", median(timed.span).count() / 1e6},
          {"trimmed_mean_ms", trimmed_mean(timed.span, kTrim).count() / 1e6},
          {"busy_median_ms", median(timed.busy).count() / 1e6},
          {"runs", timed.span.size()},
          {"caches", "warm"}};
}

bool was_compared(const Confirmation& report) {
  return std::holds_alternative<Timed>(report.verdict) && !report.workloads.empty();
}

std::string words(const Comparison& c) {
  if (c.call == Comparison::Call::Busy) return "BUSY: others use this machine, so there is no figure";
  auto out = fmt::format("{} {:.3f}x [{:.3f}, {:.3f}]", name_of(c.call), c.ratio, c.low, c.high);
  if (c.challenger > Nanoseconds(0))
    out += fmt::format("  {:.4g} ms -> {:.4g} ms", c.incumbent.count() / 1e6, c.challenger.count() / 1e6);
  return out;
}

}  // namespace

Result<Confirmation> check_candidate(Judge& judge, const Variant& candidate) {
  auto report = judge.prove(candidate, original(judge.mep()), true);
  if (report) report->notes.insert(report->notes.begin(), judge.notes().begin(), judge.notes().end());
  return report;
}

Result<Confirmation> check_original(Judge& judge) {
  auto judged = judge.judge(original(judge.mep()));
  if (!judged) return fail(std::move(judged).error());
  Confirmation report;
  report.verdict = std::move(judged->verdict);
  report.checks = std::move(judged->checks);
  report.notes = judge.notes();
  report.notes.insert(report.notes.end(), judged->notes.begin(), judged->notes.end());
  if (!std::holds_alternative<Timed>(report.verdict)) return report;
  auto floor = judge.noise_floor();
  if (!floor) return fail(std::move(floor).error());
  report.noise_floor = *floor;
  return report;
}

nlohmann::json to_json(const Confirmation& report) {
  const auto unless_empty = [](const std::string& text) {
    return text.empty() ? nlohmann::json() : nlohmann::json(text);
  };
  nlohmann::json out = {{"verdict", name_of(report.verdict)},
                        {"comparison", nullptr},
                        {"defence", unless_empty(defence_of(report.verdict))},
                        {"reason", unless_empty(reason_of(report.verdict))},
                        {"workloads", nlohmann::json::array()},
                        {"checks", report.checks},
                        {"notes", report.notes}};
  if (was_compared(report)) out["comparison"] = as_json(report.comparison);
  if (const auto* timed = std::get_if<Timed>(&report.verdict)) out["samples"] = samples(*timed);
  if (report.noise_floor) out["noise_floor"] = *report.noise_floor;
  for (const auto& one : report.workloads) {
    out["workloads"].push_back(as_json(one));
    out["workloads"].back()["original"] = samples(one.incumbent);
    out["workloads"].back()["candidate"] = samples(one.challenger);
  }
  return out;
}

std::string to_text(const Confirmation& report) {
  std::string out(name_of(report.verdict));
  const auto* timed = std::get_if<Timed>(&report.verdict);
  if (was_compared(report))
    out += "  " + words(report.comparison) + " against K(0)";
  else if (timed != nullptr)
    out += fmt::format("  {:.3f} ms (median of {}, warm; trimmed mean {:.3f} ms)", median(timed->span).count() / 1e6,
                       timed->span.size(), trimmed_mean(timed->span, kTrim).count() / 1e6);
  if (const auto defence = defence_of(report.verdict); !defence.empty()) out += "  by " + defence;
  out += "\n";
  if (const auto reason = reason_of(report.verdict); !reason.empty()) out += "  " + reason + "\n";
  for (const auto& one : report.workloads)
    out += fmt::format("  {:10} {:9} {}\n", one.workload, name_of(one.role), words(one.comparison));
  if (report.noise_floor) out += fmt::format("  noise floor of this machine: {:.1f}%\n", *report.noise_floor * 100);
  for (const auto& check : report.checks) out += "  checked: " + check + "\n";
  for (const auto& note : report.notes) out += "  note: " + note + "\n";
  return out;
}

}  // namespace hone::judge
