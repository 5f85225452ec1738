#include "judge/paired_timing.hpp"

#include <algorithm>
#include <chrono>

namespace hone::judge {
namespace {

/// Runs until a visit is long against what starting one costs, and short against the bursts of other programs: a burst
/// that meets only one visit of a pair spoils that pair. A long pass is a visit by itself. Beside a long pass of the
/// other side more runs of a short one cost nothing, and the first of them, which meets cold caches, counts for less.
std::size_t runs_of_visit(Nanoseconds pass, Nanoseconds others, std::size_t least) {
  constexpr double kVisit = 4e6, kMost = 40, kLong = 30e6, kBeside = 0.1;
  if (pass.count() > kLong) return 1;
  const double visit = std::max(kVisit, kBeside * others.count());
  return std::max(least, static_cast<std::size_t>(std::min(visit / std::max(pass.count(), 1.0), kMost)));
}

/// Of the patience with an unclear call, for the figure of a clear one; and pairs taken before its clock is looked at.
constexpr double kForTheFigure = 0.5;
constexpr std::size_t kAtOnce = 2;

/// Clocks that disagree get so much longer to agree than times that are unclear get to be clear.
constexpr double kForCalm = 2;

/// How many processors of this machine the device is; 0 when it is another device.
std::size_t processors_of(RenewingSession& session) {
  const auto device = session.device();
  if (!device || (*device)->kind != "cpu") return 0;
  const auto units = (*device)->facts.find("compute_units");
  const auto* count = units == (*device)->facts.end() ? nullptr : std::get_if<std::int64_t>(&units->second);
  return count == nullptr ? 0 : static_cast<std::size_t>(std::max<std::int64_t>(*count, 0));
}

bool crowded_out(std::vector<double> served) {
  if (served.empty()) return false;
  const auto middle = served.begin() + static_cast<std::ptrdiff_t>(served.size() / 2);
  std::nth_element(served.begin(), middle, served.end());
  return *middle < kLeastServed;
}

}  // namespace

Error not_the_challengers(const Stop& why) {
  if (const auto* error = std::get_if<Error>(&why)) return *error;
  const auto& verdict = std::get<Verdict>(why);
  return Error(
      "E-INCUMBENT",
      "the incumbent failed while it was compared: " + std::string(name_of(verdict)) + ": " + reason_of(verdict),
      "run the same command again");
}

PairedTiming::PairedTiming(Program incumbent, Program challenger, const Options& options)
    : options_(options), incumbent_{std::move(incumbent)}, challenger_{std::move(challenger)} {}

Checked<Comparison> PairedTiming::measure() {
  for (auto* side : {&incumbent_, &challenger_})
    if (auto paced = pace(*side); !paced) return stop(std::move(paced).error());
  balance(incumbent_, challenger_);
  balance(challenger_, incumbent_);
  const Effort effort(options_.effort);
  const auto start = std::chrono::steady_clock::now();
  Comparison comparison;
  for (auto more = effort.next(0, {}); more > 0;) {
    for (; more > 0; --more)
      if (auto taken = take_pair(); !taken) return stop(std::move(taken).error());
    comparison = compare_pairs(pairs_, options_.compare);
    if (crowded_out(served_)) comparison.call = Comparison::Call::Busy;
    clock_fault_ = disagreement_now();
    // A forged clock goes on disagreeing; on a busy machine the clocks agree once there was a calm moment.
    more = effort.next(pairs_.size(), clock_fault_ ? Comparison{} : comparison);
    const auto patience = options_.patience * (clock_fault_ ? kForCalm : 1);
    const Seconds spent = std::chrono::steady_clock::now() - start;
    if (spent > patience) more = 0;
    const bool rough = is_rough(comparison, options_.figure_within) && pairs_.size() < options_.effort.most;
    if (more == 0 && rough && spent < kForTheFigure * patience) more = kAtOnce;
  }
  return comparison;
}

/// One visit whose times do not count.
Checked<std::monostate> PairedTiming::pace(Side& side) {
  auto taken =
      side.program.outputs.time(side.program.session, side.program.built, side.program.launches, 1, options_.restore);
  if (!taken) return stop(&side == &incumbent_ ? Stop(not_the_challengers(taken.error())) : std::move(taken).error());
  side.pass = std::ranges::min(taken->span);
  return {};
}

void PairedTiming::balance(Side& side, const Side& other) const {
  side.runs = runs_of_visit(side.pass, other.pass, options_.least_runs);
}

Checked<std::monostate> PairedTiming::take_pair() {
  // Who goes first changes from pair to pair, so that neither always meets what the other left behind.
  const bool incumbent_first = pairs_.size() % 2 == 0;
  // Of two pairs one has visits twice as long: what the clocks need.
  long_next_ = pairs_.size() % 2 == 0 ? coin_() % 2 == 0 : !long_next_;
  const std::size_t times = long_next_ ? 2 : 1;
  Pair pair;
  double served = 1;
  for (const bool incumbents_turn : {incumbent_first, !incumbent_first}) {
    auto& side = incumbents_turn ? incumbent_ : challenger_;
    auto visited = visit(side, side.runs * times);
    if (!visited)
      return stop(incumbents_turn ? Stop(not_the_challengers(visited.error())) : std::move(visited).error());
    (incumbents_turn ? pair.incumbent : pair.challenger) = calm_middle(*visited);
    served = std::min(served, visited->served);
  }
  pairs_.push_back(pair);
  served_.push_back(served);
  if (!options_.parent_clock) return {};
  // Restoring is timed where the challenger's code never ran.
  const auto runs = challenger_.runs * times;
  auto empty = incumbent_.program.session.time(incumbent_.program.built, {}, runs, options_.restore,
                                               incumbent_.program.outputs.names());
  if (!empty) return stop(not_the_challengers(empty.error()));
  restoring_.saw(runs, *empty);
  return {};
}

/// The middle of its calmer runs stands for a visit: the fastest of a few short runs finds a good moment of the machine
/// sooner than the fastest of a few long ones.
Checked<Undisturbed> PairedTiming::visit(Side& side, std::size_t runs) {
  auto taken = side.program.outputs.time(side.program.session, side.program.built, side.program.launches, runs,
                                         options_.restore);
  if (!taken) return stop(std::move(taken).error());
  side.clocks.saw(runs, *taken);
  side.sampled.insert(side.sampled.end(), taken->span.begin(), taken->span.end());
  auto alone = undisturbed_passes(*taken);
  side.timed.span.insert(side.timed.span.end(), alone.passes.begin(), alone.passes.end());
  side.timed.busy.insert(side.timed.busy.end(), taken->busy.begin(), taken->busy.end());
  return alone;
}

std::optional<std::string> PairedTiming::disagreement_now() {
  if (!options_.parent_clock) return std::nullopt;
  return disagreement({challenger_.clocks, incumbent_.clocks, restoring_, median(challenger_.sampled), challenger_.runs,
                       challenger_.program.launches.size(), processors_of(challenger_.program.session)});
}

}  // namespace hone::judge
