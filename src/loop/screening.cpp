#include "loop/screening.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace hone::loop {
namespace {

constexpr auto screen_protocol = "screen-1";

VerdictKey key_of(const TuningContext& context, const Variant& variant, const std::string& workload,
                  std::size_t repetition) {
  const auto& device = context.ports.evaluator->device();
  const auto protocol =
      repetition == 0 ? std::string(screen_protocol) : fmt::format("{}.{}", screen_protocol, repetition);
  return {hash_of(variant),
          join(variant.options, " "),
          context.options.mep_hash + "/" + workload,
          device.name,
          device.driver,
          protocol};
}

std::vector<std::string> tune_workloads(const Mep& mep) {
  std::vector<std::string> out;
  for (const auto& workload : mep.workloads)
    if (workload.role == Role::Tune) out.push_back(workload.name);
  return out;
}

/// What the log knows of a variant: a failure on any workload, a time on all of them, or that it was stopped early.
Result<std::optional<Screened>> remembered(const TuningContext& context, const Variant& variant,
                                           std::size_t repetition) {
  Screened out;
  bool whole = true;
  for (const auto& workload : tune_workloads(context.mep)) {
    const auto logged = context.ports.log->lookup(key_of(context, variant, workload, repetition));
    if (!logged) return fail(logged.error());
    const auto* timed = *logged ? std::get_if<Timed>(&(*logged)->trial.verdict) : nullptr;
    if (*logged && timed == nullptr) return Screened{(*logged)->trial.verdict, {}, false};
    // Logs of earlier versions have times without samples where nothing was measured.
    if (timed == nullptr || timed->span.empty()) {
      whole = false;
      continue;
    }
    out.times[workload] = *timed;
    out.censored = out.censored || (*logged)->trial.censored;
  }
  if (out.times.empty() || !(whole || out.censored)) return std::nullopt;
  out.verdict = out.times.begin()->second;
  return out;
}

/// Failures count for every workload; times only where they were measured.
Status log_screened(const TuningContext& context, const Variant& variant, const Trial& about, std::size_t repetition,
                    const Screened& screened) {
  Trial trial = about;
  trial.run = context.options.run;
  trial.variant = hash_of(variant);
  trial.device = context.ports.evaluator->device().name;
  trial.round = context.round;
  trial.censored = screened.censored;
  const bool timed = std::holds_alternative<Timed>(screened.verdict);
  for (const auto& workload : tune_workloads(context.mep)) {
    const auto time = screened.times.find(workload);
    if (timed && (time == screened.times.end() || time->second.span.empty())) continue;
    trial.workload = workload;
    trial.verdict = timed ? Verdict(time->second) : screened.verdict;
    const auto appended = context.ports.log->append(trial, key_of(context, variant, workload, repetition));
    if (!appended) return fail(appended.error());
  }
  return {};
}

}  // namespace

double figure_of(const std::map<std::string, Nanoseconds>& times) {
  if (times.empty()) return 0;
  double sum = 0;
  for (const auto& [workload, time] : times) sum += std::log(std::max(time.count(), 1.0));
  return std::exp(sum / static_cast<double>(times.size()));
}

double figure_of(const std::map<std::string, Timed>& times) {
  std::map<std::string, Nanoseconds> medians;
  for (const auto& [workload, timed] : times)
    if (!timed.span.empty()) medians[workload] = median(timed.span);
  return figure_of(medians);
}

search::Outcome outcome_of(const Screened& screened, const std::map<std::string, Nanoseconds>& incumbent) {
  if (!std::holds_alternative<Timed>(screened.verdict)) return search::Outcome::failed();
  if (!screened.censored) return search::Outcome::measured(figure_of(screened.times));
  auto bound = incumbent;
  for (const auto& [workload, timed] : screened.times)
    if (!timed.span.empty()) bound[workload] = median(timed.span);
  return search::Outcome::censored(figure_of(bound));
}

Result<Screened> screen_logged(TuningContext& context, const Variant& variant, const Trial& about,
                               std::size_t repetition) {
  const auto known = remembered(context, variant, repetition);
  if (!known) return fail(known.error());
  if (*known) return **known;
  const auto before = context.ports.now();
  auto screened = context.ports.evaluator->screen(variant, context.incumbent);
  context.screening += context.ports.now() - before;
  ++context.looks;
  if (!screened) return screened;
  if (auto done = log_screened(context, variant, about, repetition, *screened); !done) return fail(done.error());
  return screened;
}

}  // namespace hone::loop
