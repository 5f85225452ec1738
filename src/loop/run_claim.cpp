// From the leader of a search to a proof: confirmed against the incumbent, and at the end against K(0) everywhere.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "loop/run.hpp"

namespace hone::loop {

const Tuning* Run::leader() const {
  const Tuning* best = nullptr;
  for (const auto& tuning : tunings_)
    if (tuning.best() && (best == nullptr || tuning.best_figure() < best->best_figure())) best = &tuning;
  return best;
}
Tuning* Run::leader() { return const_cast<Tuning*>(std::as_const(*this).leader()); }

bool Run::is_ahead(const Tuning* tuning, double least_gain) const {
  return tuning != nullptr && !is_incumbent(tuning->best_variant()) &&
         tuning->best_figure() * (1 + least_gain) < best_proven().figure;
}

/// Who leads by one lucky measurement loses the lead with the second.
Result<Tuning*> Run::settled_leader(double least_gain) {
  constexpr int most_repeats = 3;
  auto* best = leader();
  for (int repeats = 0; repeats < most_repeats && best != nullptr; ++repeats) {
    if (best->best_measurements() > 1 || !is_ahead(best, least_gain) || ports_.stop()) break;
    const auto scope = ledger_.spend_on(Purpose::Screening);
    if (auto done = best->repeat_best(context_); !done) return fail(std::move(done).error());
    best = leader();
  }
  return best;
}

/// A first proof is always worth its time. Another one costs as much again, and the claim after it.
bool Run::affords_another() const {
  return proven_.size() == 1 || !allowance_.is_overdrawn_by(-2 * confirmation_ + grace());
}

/// How long a run may go on after its budget is spent: a proof that is nearly there is not thrown away.
Seconds Run::grace() const {
  constexpr double share = 0.5, most = 10;
  return std::min(share * options_.budget.seconds.value_or(Seconds(0)), Seconds(most));
}

/// Confirms the most promising candidates until one is proven faster than the incumbent.
Status Run::claim(const RoundContext& known, double least_gain, std::size_t tries) {
  for (bool first = true; tries > 0 && !ports_.stop() && (first || !allowance_.is_overdrawn());
       --tries, first = false) {
    const auto best = settled_leader(least_gain);
    if (!best) return fail(best.error());
    if (!is_ahead(*best, least_gain) || !affords_another()) return {};
    const auto won = challenge(known, **best);
    if (!won) return fail(won.error());
    if (*won) return {};
  }
  return {};
}

Result<Confirmation> Run::confirm(const Variant& challenger, const Variant& incumbent, bool everywhere) {
  const auto scope = ledger_.spend_on(Purpose::Confirming);
  const auto before = ports_.now();
  auto confirmed = ports_.evaluator->confirm(challenger, incumbent, everywhere);
  confirmation_ = (has_several_shapes() ? 2.0 : 1.0) * (ports_.now() - before);  // a choice by size is compared too
  return confirmed;
}

Result<bool> Run::challenge(const RoundContext& known, Tuning& best) {
  show("confirming " + best.proposed().name);
  auto confirmed = confirm(best.best_variant(), best_proven().incumbent.variant, false);
  if (!confirmed) return fail(std::move(confirmed).error());
  const auto trial = log_confirmation(best, *confirmed);
  if (!trial) return fail(trial.error());
  const bool passed = std::holds_alternative<Timed>(confirmed->verdict);
  if (passed && confirmed->comparison.call == Comparison::Call::Faster) {
    accept(best, *confirmed, *trial);
    return true;
  }
  const auto outcome =
      passed ? fmt::format("{}, ratio {:.3f}", name_of(confirmed->comparison.call), confirmed->comparison.ratio)
             : fmt::format("{} {}", name_of(confirmed->verdict), reason_of(confirmed->verdict));
  refuse(best.proposer(), fmt::format("{} ({}): {}", best.proposed().name, print(*best.best()), outcome));
  const Fault fault{best.proposed(), *best.best(), best.best_variant().source, confirmed->verdict};
  best.refuse_best();
  if (!passed)
    if (auto done = offer_repair(known, fault, best); !done) return fail(std::move(done).error());
  return false;
}

/// Wrong only where the search did not look: the proposer is told (without held-out values) and may answer.
Status Run::offer_repair(const RoundContext& known, const Fault& fault, const Tuning& of) {
  const auto fixed = repaired(known, fault, of);
  if (!fixed || !add(*fixed, of.proposer(), of.repairs + 1)) return {};
  return look_and_mend(known, tunings_.size() - 1);
}

Result<std::string> Run::log_confirmation(const Tuning& tuning, const Confirmation& confirmed) {
  const auto& device = ports_.evaluator->device();
  Trial trial;
  trial.run = options_.run;
  trial.variant = hash_of(tuning.best_variant());
  trial.workload = "all";
  trial.device = device.name;
  trial.proposer = tuning.proposer();
  trial.template_name = tuning.proposed().name;
  trial.rationale = tuning.proposed().rationale;
  trial.configuration = *tuning.best();
  trial.verdict = confirmed.verdict;
  trial.round = context_.round;
  return ports_.log->append(trial, {trial.variant, "", options_.mep_hash + "/all", device.name, device.driver,
                                    "confirm-" + hash_of(best_proven().incumbent.variant)});
}

void Run::accept(const Tuning& tuning, const Confirmation& confirmed, const std::string& trial) {
  Proven next{
      {tuning.best_variant(), tuning.proposed().name, tuning.proposer(), tuning.proposed().schedule, *tuning.best(),
       best_proven().incumbent.speedup * confirmed.comparison.ratio, tuning.proposed().rationale},
      tuning.proposed(),
      tuning.best_figure()};
  if (!outcome_.first_proof) outcome_.first_proof = ledger_.so_far().total();
  std::map<std::string, Timed> times;
  for (const auto& result : confirmed.workloads)
    if (result.role == Role::Tune) times[result.workload] = result.challenger;
  if (times.empty()) times["tune"] = std::get<Timed>(confirmed.verdict);
  if (const auto pattern = ports_.pattern_of(next.incumbent, confirmed.comparison, trial))
    if (const auto recorded = ports_.log->record(*pattern); !recorded)
      ports_.note("pattern not recorded: " + recorded.error().message());
  ports_.note(fmt::format("round {}: {} ({}) {:.2f}x against the incumbent", context_.round, tuning.proposed().name,
                          print(*tuning.best()), confirmed.comparison.ratio));
  proven_.push_back(std::move(next));
  learn(best_proven().incumbent.variant, times);
}

/// The claim: the winner against K(0) on every workload. Where it does not hold, the one before it is tried.
Status Run::prove() {
  const auto original = original_of(mep_);
  while (proven_.size() > 1) {
    auto& winner = proven_.back().incumbent;
    show("proving the winner against the original");
    auto proof = confirm(winner.variant, original, true);
    if (!proof) return fail(std::move(proof).error());
    if (std::holds_alternative<Timed>(proof->verdict) && proof->comparison.call == Comparison::Call::Faster) {
      winner.speedup = proof->comparison.ratio;
      outcome_.proof = std::move(*proof);
      return {};
    }
    refuse(winner.proposer, fmt::format("{}: the gain did not hold against the original: {} {}", winner.template_name,
                                        name_of(proof->verdict), reason_of(proof->verdict)));
    proven_.pop_back();
  }
  return {};
}

}  // namespace hone::loop
