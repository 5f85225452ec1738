// Challenger against incumbent: two fresh workers, timed in turn on each workload, and what must hold around it.

#include <fmt/format.h>

#include <algorithm>

#include "core/sized_options.hpp"
#include "judge/case.hpp"
#include "judge/paired_timing.hpp"

namespace hone::judge {
namespace {

/// A process can be a little slower than another for as long as it lives, by where its pages and threads came to lie;
/// two are not so by chance. Nothing of that kind makes a difference of a quarter, and what a kernel does on purpose it
/// does in every process.
bool may_be_luck(const Comparison& comparison) {
  constexpr double kNoLuck = 1.25;
  const bool called = comparison.call == Comparison::Call::Faster || comparison.call == Comparison::Call::Slower;
  return called && !is_far(comparison, kNoLuck);
}

/// The same workloads measured again: one figure each, and the headline is made of those.
Confirmation joined(Confirmation first, const Confirmation& again, double margin) {
  std::vector<Comparison> tuned;
  for (std::size_t w = 0; w < again.workloads.size(); ++w) {
    auto& one = first.workloads[w];
    one.comparison = agreed(one.comparison, again.workloads[w].comparison);
    tuned.push_back(one.comparison);
  }
  first.comparison = combine(tuned, margin);
  return first;
}

const std::vector<Role> kTuned = {Role::Tune}, kBesideTuned = {Role::HeldOut, Role::Awkward},
                        kEverywhere = {Role::Tune, Role::HeldOut, Role::Awkward};

Confirmation only_tuned(Confirmation confirmed) {
  std::erase_if(confirmed.workloads, [](const WorkloadComparison& one) { return one.role != Role::Tune; });
  return confirmed;
}

Confirmation with_others(Confirmation tuned, Confirmation others) {
  for (auto& one : others.workloads) tuned.workloads.push_back(std::move(one));
  tuned.notes.insert(tuned.notes.end(), others.notes.begin(), others.notes.end());
  return tuned;
}

}  // namespace

Result<Confirmation> Judge::confirm(const Variant& challenger, const Variant& incumbent, bool everywhere) {
  return confirm(challenger, incumbent, everywhere ? kEverywhere : kTuned, {});
}

/// K(0)'s side is timed where only K(0) ever ran, which need not be started again for it.
Result<Confirmation> Judge::confirm(const Variant& challenger, const Variant& incumbent, const std::vector<Role>& roles,
                                    FreshPair fresh) {
  std::optional<Confirmation> confirmation;
  auto judged = believed([&]() -> Checked<Judgement> {
    const auto challengers = fresh.challenger.take(sessions_), incumbents = fresh.incumbent.take(sessions_);
    const bool is_k0 = incumbent == original(mep_);
    auto done = confirm_once(challenger, incumbent, roles, *challengers,
                             !on(Defence::FreshWorkers) ? *challengers
                             : is_k0                    ? reference_.session()
                                                        : *incumbents);
    if (!done) return stop(std::move(done).error());
    if (on(Defence::FreshWorkers) && may_be_luck(done->comparison)) {
      FreshPair second;
      begin(second, challenger, incumbent);
      auto again = confirm_once(challenger, incumbent, kTuned, *second.challenger.take(sessions_),
                                *second.incumbent.take(sessions_));
      if (!again) return stop(std::move(again).error());
      *done = joined(std::move(*done), *again, options_.margin);
      done->checks = checks_of_comparison(done->comparison);
    }
    confirmation = std::move(*done);
    return Judgement{};
  });
  if (!judged) return fail(std::move(judged).error());
  if (confirmation) return std::move(*confirmation);
  return Confirmation{std::move(judged->verdict), {}, {}, {}, {}, {}};
}

void Judge::begin(FreshPair& fresh, const Variant& challenger, const Variant& incumbent) {
  const auto tunes = workloads(Role::Tune);
  if (!options_.in_background || !on(Defence::FreshWorkers) || tunes.empty()) return;
  fresh.challenger.begin(sessions_, at_sizes(challenger, *tunes.front()));
  if (incumbent != original(mep_)) fresh.incumbent.begin(sessions_, at_sizes(incumbent, *tunes.front()));
}

Result<std::optional<Judgement>> Judge::passed_all(const Variant& variant, const Variant& incumbent, FreshPair& fresh) {
  if (passed_.contains(hash_of(variant))) return std::nullopt;
  auto judged = believed([&] {
    begin(fresh, variant, incumbent);
    return judge_once(variant, true);
  });
  if (!judged) return fail(std::move(judged).error());
  return std::optional(std::move(*judged));
}

Result<Confirmation> Judge::prove(const Variant& challenger, const Variant& incumbent, bool everywhere) {
  const auto variant = hash_of(challenger);
  FreshPair fresh;
  auto judged = passed_all(challenger, incumbent, fresh);
  if (!judged) return fail(std::move(judged).error());
  if (*judged) {
    if (!std::holds_alternative<Timed>((*judged)->verdict))
      return Confirmation{std::move((*judged)->verdict), {}, {}, std::move((*judged)->notes), {}, {}};
    passed_[variant] = std::move(**judged);
  }
  // What was compared for a first claim stands: one proof, one set of pairs.
  const std::pair both(variant, hash_of(incumbent));
  const auto known = compared_.find(both);
  const bool rest = everywhere && known != compared_.end();
  auto confirmed = confirm(challenger, incumbent,
                           rest         ? kBesideTuned
                           : everywhere ? kEverywhere
                                        : kTuned,
                           std::move(fresh));
  if (!confirmed || !std::holds_alternative<Timed>(confirmed->verdict)) return confirmed;
  if (rest) *confirmed = with_others(known->second, std::move(*confirmed));
  compared_[both] = only_tuned(*confirmed);
  const auto& passed = passed_.at(variant);
  confirmed->notes.insert(confirmed->notes.begin(), passed.notes.begin(), passed.notes.end());
  confirmed->checks.insert(confirmed->checks.begin(), passed.checks.begin(), passed.checks.end());
  if (!confirmed->proves_faster()) return confirmed;
  auto floor = noise_floor();
  if (!floor) return fail(std::move(floor).error());
  confirmed->noise_floor = *floor;
  return confirmed;
}

Checked<Confirmation> Judge::confirm_once(const Variant& challenger, const Variant& incumbent,
                                          const std::vector<Role>& roles, RenewingSession& challengers,
                                          RenewingSession& incumbents) {
  Confirmation out;
  std::vector<Comparison> tuned;
  for (const auto role : roles) {
    for (const auto* workload : workloads(role)) {
      auto compared = compare_on(challengers, incumbents, challenger, incumbent, *workload, out.notes);
      if (!compared) return stop(std::move(compared).error());
      if (role == Role::Tune) tuned.push_back(compared->comparison);
      out.workloads.push_back(std::move(*compared));
    }
  }
  if (workloads(Role::Tune).empty())
    return stop(Error("E-WORKLOAD", "the MEP has no tune workload", "add one to mep.toml"));
  if (!tuned.empty()) {
    out.comparison = combine(tuned, options_.margin);
    out.checks = checks_of_comparison(out.comparison);
  }
  out.verdict = out.workloads.empty() ? Timed{} : out.workloads.front().challenger;
  return out;
}

/// Where the claim is made, patience is long; held-out and awkward workloads stand beside it.
Seconds Judge::patience_on(const Workload& workload) const {
  constexpr double kBeside = 0.2;
  const auto tuned = static_cast<double>(workloads(Role::Tune).size());
  return options_.longest_comparison * (workload.role == Role::Tune ? 1 / tuned : kBeside);
}

Checked<WorkloadComparison> Judge::compare_on(RenewingSession& challengers, RenewingSession& incumbents,
                                              const Variant& challenger, const Variant& incumbent,
                                              const Workload& workload, std::vector<std::string>& notes) {
  const auto test = case_for_timing(workload, contents_of_comparison());
  auto incumbent_ready = make_ready(incumbents, incumbent, test);
  if (!incumbent_ready) return stop(not_the_challengers(incumbent_ready.error()));
  auto challenger_ready = make_ready(challengers, challenger, test);
  if (!challenger_ready) return stop(std::move(challenger_ready).error());

  auto incumbent_outputs = timed_outputs(incumbent_ready->problem, test);
  if (!incumbent_outputs) return stop(not_the_challengers(incumbent_outputs.error()));
  auto challenger_outputs = timed_outputs(challenger_ready->problem, test);
  if (!challenger_outputs) return stop(std::move(challenger_outputs).error());
  PairedTiming timing(
      {incumbents, std::move(incumbent_ready->built), incumbent_ready->problem.launches, std::move(*incumbent_outputs)},
      {challengers, std::move(challenger_ready->built), challenger_ready->problem.launches,
       std::move(*challenger_outputs)},
      {.compare = {options_.margin, 0.99, 2000, options_.seed},
       .effort = options_.effort,
       .least_runs = options_.visit_runs,
       .restore = restores(challenger_ready->problem),
       .parent_clock = on(Defence::ParentClock),
       .patience = patience_on(workload),
       .figure_within = incumbent == original(mep_) ? options_.claim_within : 0});
  auto comparison = timing.measure();
  if (!comparison) return stop(std::move(comparison).error());
  if (auto believed = believable(workload, timing.challengers_times()); !believed)
    return stop(std::move(believed).error());
  if (timing.clock_fault()) {
    challengers.discard();
    return stop(Verdict(Unsafe{std::string(name_of(Defence::ParentClock)), *timing.clock_fault()}));
  }
  if (const double drift = drift_of(timing.incumbents_times().span); drift > 1.1) {
    notes.push_back(fmt::format("the machine drifted by {:.0f}% while {} was measured; pairs cancel most of it",
                                (drift - 1) * 100, workload.name));
  }
  return WorkloadComparison{workload.name, workload.role, *comparison, timing.incumbents_times(),
                            timing.challengers_times()};
}

/// Built and checked on the problem that is then timed.
Checked<Judge::Ready> Judge::make_ready(RenewingSession& session, const Variant& variant, const Case& test) {
  auto built = session.build(at_sizes(variant, *test.workload), on(Defence::SourceHash));
  if (!built) return stop(std::move(built).error());
  auto passed = check(session, *built, variant, test);
  if (!passed) return stop(std::move(passed).error());
  return Ready{std::move(*built), std::move(passed->problem)};
}

}  // namespace hone::judge
