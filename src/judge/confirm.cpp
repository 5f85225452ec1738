// Challenger against incumbent: two fresh workers, visits in turn, the parent's clock beside the device's.

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <span>

#include "judge/case.hpp"
#include "judge/clocks.hpp"

namespace hone::judge {
namespace {

/// One side of a duel, ready to be timed.
struct Side {
  Bench* bench = nullptr;
  Built built;
  Problem problem;
  std::size_t runs = 0;  // of a short visit
  Timed timed;
  Clocks clocks;
};

/// The fastest of the first `counted` runs: of more runs the fastest is faster, so both sides count as many.
Step<Nanoseconds> visit(Side& side, std::size_t runs, std::size_t counted, bool restore) {
  auto taken = side.bench->time(side.built, side.problem.launches, runs, restore);
  if (!taken) return stop(std::move(taken).error());
  auto& all = side.timed;
  side.clocks.saw(runs, *taken);
  all.span.insert(all.span.end(), taken->span.begin(), taken->span.end());
  all.busy.insert(all.busy.end(), taken->busy.begin(), taken->busy.end());
  return std::ranges::min(std::span(taken->span).first(std::min(counted, taken->span.size())));
}

/// So many runs that a visit is long against a scheduler's slice, which a short kernel would vanish in.
std::size_t runs_of_visit(Nanoseconds pass, std::size_t least) {
  constexpr double kVisit = 10e6, kMost = 40;
  return std::max(least, static_cast<std::size_t>(std::min(kVisit / std::max(pass.count(), 1.0), kMost)));
}

/// How many processors of this machine the device is; 0 when it is another device.
std::size_t processors_of(Bench& bench) {
  const auto device = bench.device();
  if (!device || (*device)->kind != "cpu") return 0;
  const auto units = (*device)->facts.find("compute_units");
  const auto* count = units == (*device)->facts.end() ? nullptr : std::get_if<std::int64_t>(&units->second);
  return count == nullptr ? 0 : static_cast<std::size_t>(std::max<std::int64_t>(*count, 0));
}

Error not_the_challengers(const Stop& why) {
  if (const auto* error = std::get_if<Error>(&why)) return *error;
  const auto& verdict = std::get<Verdict>(why);
  return Error(
      "E-INCUMBENT",
      "the incumbent failed while it was compared: " + std::string(name_of(verdict)) + ": " + reason_of(verdict),
      "run the same command again");
}

}  // namespace

Result<Confirmation> Judge::confirm(const Variant& challenger, const Variant& incumbent, bool everywhere) {
  std::optional<Confirmation> confirmation;
  auto judged = believed([&]() -> Step<Judgement> {
    auto done = confirm_once(challenger, incumbent, everywhere);
    if (!done) return stop(std::move(done).error());
    // A process can be slow for as long as it lives, by where the system put its threads; two are not so by chance.
    const auto call = done->comparison.call;
    if (on(Defence::FreshWorkers) && (call == Comparison::Call::Faster || call == Comparison::Call::Slower)) {
      auto again = confirm_once(challenger, incumbent, false);
      if (!again) return stop(std::move(again).error());
      done->comparison = agreed(done->comparison, again->comparison);
      done->checks = checks_of_comparison(done->comparison);
    }
    confirmation = std::move(*done);
    return Judgement{};
  });
  if (!judged) return fail(std::move(judged).error());
  if (confirmation) return std::move(*confirmation);
  return Confirmation{std::move(judged->verdict), {}, {}, {}, {}};
}

Step<Confirmation> Judge::confirm_once(const Variant& challenger, const Variant& incumbent, bool everywhere) {
  Bench first(sessions_);
  Bench second(sessions_);
  Bench& challengers = first;
  Bench& incumbents = on(Defence::FreshWorkers) ? second : first;
  Confirmation out;
  std::vector<Comparison> tuned;
  for (const auto role : {Role::Tune, Role::HeldOut, Role::Awkward}) {
    if (role != Role::Tune && !everywhere) break;
    for (const auto* workload : workloads(role)) {
      auto duelled = duel(challengers, incumbents, challenger, incumbent, *workload, out.notes);
      if (!duelled) return stop(std::move(duelled).error());
      if (role == Role::Tune) tuned.push_back(duelled->comparison);
      out.workloads.push_back(std::move(*duelled));
    }
  }
  if (tuned.empty()) return stop(Error("E-WORKLOAD", "the MEP has no tune workload", "add one to mep.toml"));
  out.comparison = combine(tuned, options_.margin);
  out.verdict = out.workloads.front().challenger;
  out.checks = checks_of_comparison(out.comparison);
  return out;
}

Step<WorkloadComparison> Judge::duel(Bench& challengers, Bench& incumbents, const Variant& challenger,
                                     const Variant& incumbent, const Workload& workload,
                                     std::vector<std::string>& notes) {
  Case test{&workload, on(Defence::FreshContents) ? fresh_seed() : options_.seed, std::nullopt, 1};
  if (on(Defence::FreshContents)) test.defence = Defence::FreshContents;
  const auto enter = [&](Bench& bench, const Variant& variant) -> Step<Side> {
    auto built = bench.build(variant, on(Defence::SourceHash));
    if (!built) return stop(std::move(built).error());
    auto problem = check(bench, *built, variant, test);
    if (!problem) return stop(std::move(problem).error());
    return Side{&bench, std::move(*built), std::move(*problem), 0, {}, {}};
  };
  auto hers = enter(incumbents, incumbent);
  if (!hers) return stop(not_the_challengers(hers.error()));
  auto his = enter(challengers, challenger);
  if (!his) return stop(std::move(his).error());

  const Effort effort(options_.effort);
  WorkloadComparison out{workload.name, workload.role, {}, {}, {}};
  const CompareOptions options{options_.margin, 0.99, 2000, options_.seed};
  std::vector<Pair> pairs;
  const bool restore = restores(his->problem);
  Clocks restoring;
  std::mt19937_64 coin(options_.seed);
  bool long_next = false;
  for (auto* side : {&*hers, &*his}) {
    auto pass = visit(*side, options_.visit_runs, options_.visit_runs, restore);
    if (!pass) return stop(side == &*hers ? Stop(not_the_challengers(pass.error())) : std::move(pass).error());
    *side = Side{
        side->bench, std::move(side->built), std::move(side->problem), runs_of_visit(*pass, options_.visit_runs), {},
        {}};
  }
  for (auto more = effort.next(0, {}); more > 0; more = effort.next(pairs.size(), out.comparison)) {
    for (; more > 0; --more) {
      // Who goes first changes from pair to pair, so that neither always meets what the other left behind.
      const bool incumbent_first = pairs.size() % 2 == 0;
      // Of two pairs one has visits twice as long, and which one cannot be foreseen: what the clocks need.
      long_next = pairs.size() % 2 == 0 ? coin() % 2 == 0 : !long_next;
      const std::size_t times = long_next ? 2 : 1;
      Pair pair;
      for (const bool incumbents_turn : {incumbent_first, !incumbent_first}) {
        auto& side = incumbents_turn ? *hers : *his;
        auto time = visit(side, side.runs * times, std::min(hers->runs, his->runs), restore);
        if (!time) return stop(incumbents_turn ? Stop(not_the_challengers(time.error())) : std::move(time).error());
        (incumbents_turn ? pair.incumbent : pair.challenger) = *time;
      }
      pairs.push_back(pair);
      // Restoring is timed where the challenger's code never ran.
      if (!on(Defence::ParentClock)) continue;
      auto empty = hers->bench->time(hers->built, {}, his->runs * times, restore);
      if (!empty) return stop(not_the_challengers(empty.error()));
      restoring.saw(his->runs * times, *empty);
    }
    out.comparison = compare_pairs(pairs, options);
  }
  if (auto after = after_timing(*his->bench, his->problem, test); !after) return stop(std::move(after).error());
  if (auto believed = believable(workload, his->timed); !believed) return stop(std::move(believed).error());
  if (on(Defence::ParentClock)) {
    const Clocked seen{his->clocks,
                       hers->clocks,
                       restoring,
                       median(his->timed.span),
                       his->runs,
                       his->problem.launches.size(),
                       processors_of(*his->bench)};
    if (auto lie = disagreement(seen)) {
      his->bench->discard();
      return stop(Verdict(Unsafe{std::string(name_of(Defence::ParentClock)), std::move(*lie)}));
    }
  }
  if (const double drift = drift_of(hers->timed.span); drift > 1.1) {
    notes.push_back(fmt::format("the machine drifted by {:.0f}% while {} was measured; pairs cancel most of it",
                                (drift - 1) * 100, workload.name));
  }
  out.incumbent = std::move(hers->timed);
  out.challenger = std::move(his->timed);
  return out;
}

Result<double> Judge::noise_floor() {
  if (!noise_floor_) {
    const auto k0 = original(mep_);
    auto same = confirm(k0, k0, false);
    if (!same) return fail(std::move(same).error().context("measuring the noise floor"));
    noise_floor_ = std::max(same->comparison.high, 1 / same->comparison.low) - 1;
  }
  return *noise_floor_;
}

}  // namespace hone::judge
