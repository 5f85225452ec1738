// Challenger against incumbent: two fresh workers, visits in turn, the parent's clock beside the device's.

#include <fmt/format.h>

#include <algorithm>

#include "judge/case.hpp"

namespace hone::judge {
namespace {

/// One side of a duel, ready to be timed.
struct Side {
  Bench* bench = nullptr;
  Built built;
  Problem problem;
  Timed timed;
};

Step<Nanoseconds> visit(Side& side, std::size_t runs, bool restore) {
  auto taken = side.bench->time(side.built, side.problem.launches, runs, restore);
  if (!taken) return stop(std::move(taken).error());
  auto& all = side.timed;
  all.span.insert(all.span.end(), taken->span.begin(), taken->span.end());
  all.busy.insert(all.busy.end(), taken->busy.begin(), taken->busy.end());
  return median(taken->span);
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
    confirmation = std::move(*done);
    return Judgement{};
  });
  if (!judged) return fail(std::move(judged).error());
  if (confirmation) return std::move(*confirmation);
  return Confirmation{std::move(judged->verdict), {}, {}, {}};
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
    return Side{&bench, std::move(*built), std::move(*problem), {}};
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
  for (auto more = effort.next(0, {}); more > 0; more = effort.next(pairs.size(), out.comparison)) {
    for (; more > 0; --more) {
      // Who goes first changes from pair to pair, so that neither always meets what the other left behind.
      const bool incumbent_first = pairs.size() % 2 == 0;
      Pair pair;
      for (const bool incumbents_turn : {incumbent_first, !incumbent_first}) {
        auto time = visit(incumbents_turn ? *hers : *his, options_.visit_runs, restore);
        if (!time) return stop(incumbents_turn ? Stop(not_the_challengers(time.error())) : std::move(time).error());
        (incumbents_turn ? pair.incumbent : pair.challenger) = *time;
      }
      pairs.push_back(pair);
    }
    out.comparison = compare_pairs(pairs, options);
  }
  if (auto after = after_timing(*his->bench, his->problem, test); !after) return stop(std::move(after).error());
  if (auto verdict = impossible(workload, his->timed)) return stop(std::move(*verdict));
  if (out.comparison.call == Comparison::Call::Faster) {
    if (auto agreed = check_clock(*his->bench, his->built, his->problem, his->timed); !agreed)
      return stop(std::move(agreed).error());
  }
  if (const double drift = drift_of(hers->timed.span); drift > 1.1) {
    notes.push_back(fmt::format("the machine drifted by {:.0f}% while {} was measured; pairs cancel most of it",
                                (drift - 1) * 100, workload.name));
  }
  out.incumbent = std::move(hers->timed);
  out.challenger = std::move(his->timed);
  return out;
}

/// On a CPU device a kernel can reach the worker's memory and so its clock, but not ours. One pass by our clock,
/// (W(2n) - W(n)) / n less the same of restoring alone, may exceed the samples by overhead, not by half. Noise only
/// adds time, so the smallest of a few tries is held against the largest claim.
Step<std::monostate> Judge::check_clock(Bench& bench, const Built& built, const Problem& problem, const Timed& timed) {
  if (!on(Defence::ParentClock)) return {};
  constexpr double kTries = 4;
  constexpr Nanoseconds kOverhead{200e3};
  const auto claimed = median(timed.span);
  const auto runs = static_cast<std::size_t>(std::clamp(20e6 / claimed.count(), 2.0, 50.0));
  const bool restore = restores(problem);
  const auto wall = [&](const std::vector<ConcreteLaunch>& launches, std::size_t n) -> Step<Nanoseconds> {
    auto taken = bench.time(built, launches, n, restore);
    if (!taken) return stop(std::move(taken).error());
    return taken->wall;
  };
  const auto per_pass = [&](const std::vector<ConcreteLaunch>& launches) -> Step<Nanoseconds> {
    auto once = wall(launches, runs);
    if (!once) return once;
    auto twice = wall(launches, 2 * runs);
    if (!twice) return twice;
    return Nanoseconds((*twice - *once).count() / static_cast<double>(runs));
  };
  Nanoseconds least{1e300};
  for (int attempt = 0; attempt < kTries; ++attempt) {
    auto pass = per_pass(problem.launches);
    if (!pass) return stop(std::move(pass).error());
    Nanoseconds restoring{0};
    if (restore) {
      auto empty = per_pass({});
      if (!empty) return stop(std::move(empty).error());
      restoring = std::max(*empty, Nanoseconds(0));
    }
    least = std::min(least, *pass - restoring);
    if (least <= claimed * 1.3 + kOverhead * static_cast<double>(problem.launches.size())) return {};
  }
  bench.discard();
  return stop(Verdict(Unsafe{std::string(name_of(Defence::ParentClock)),
                             fmt::format("the device says {:.3f} ms a pass, the parent's clock {:.3f} ms",
                                         claimed.count() / 1e6, least.count() / 1e6)}));
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
