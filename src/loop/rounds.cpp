#include "loop/rounds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "loop/halving.hpp"
#include "loop/profile.hpp"
#include "loop/run.hpp"

namespace hone::loop {
namespace {

/// Trials below which a round is not worth its questions: what is left goes to the present one.
constexpr double trials_of_a_round = 12;
/// A gain in screening that is worth a confirmation while there is still time to search; and at the end, when it only
/// has to be more than the judge's margin.
constexpr double worth_while_searching = 0.05, worth_at_the_end = 0.02;
/// Of the budget, for the proof, before anybody knows what one costs here.
constexpr double share_of_the_proof = 0.3;

}  // namespace

Run::Run(const Mep& mep, const LoopOptions& options, const Ports& ports)
    : mep_(mep),
      options_(options),
      ports_(ports),
      ledger_(ports.ledger != nullptr ? *ports.ledger : own_ledger_.emplace(ports.now)),
      allowance_(options.budget, ports.now),
      context_{mep_, options_, ports_, allowance_, state_} {
  state_.rounds = options.rounds;
  context_.between = [this] { return hear(); };
  allowance_.reserve([this] { return needed_at_the_end(); });
}

/// The proof of what is proven already needs less than that of a new leader, which is compared twice.
Seconds Run::needed_at_the_end() const {
  constexpr double share_of_the_rest = 0.6;
  if (confirmation_ == Seconds(0)) return share_of_the_proof * options_.budget.seconds.value_or(Seconds(0));
  return confirmation_ * (is_ahead(leader(), worth_while_searching) ? 1.0 : share_of_the_rest);
}

Result<Outcome> Run::all() {
  if (auto done = measure_original(); !done) return fail(std::move(done).error());
  while (!is_over() && !are_rounds_over()) {
    ++state_.round;
    outcome_.rounds = context_.round = state_.round;
    if (auto done = one_round(); !done) return fail(std::move(done).error());
  }
  outcome_.ended = ports_.stop() ? "interrupted" : why_over().value_or(fmt::format("{} rounds", state_.round));
  // What is left decides how small a gain is worth the last comparison.
  const bool late = allowance_.is_overdrawn();
  if (auto done = claim(what_is_known(), late ? worth_while_searching : worth_at_the_end, 2); !done)
    return fail(std::move(done).error());
  if (auto done = prove(); !done) return fail(std::move(done).error());
  if (auto done = look_at_shapes(); !done) return fail(std::move(done).error());
  tell();
  return std::move(outcome_);
}

Status Run::measure_original() {
  const auto scope = ledger_.spend_on(Purpose::Preparing);
  const auto original = original_of(mep_);
  Trial about;
  about.proposer = "original";
  auto screened = screen_logged(context_, original, about);
  if (!screened) return fail(std::move(screened).error().context("running the original kernel"));
  if (!std::holds_alternative<Timed>(screened->verdict))
    return fail(
        "E-ORIGINAL",
        fmt::format("the original kernel itself is {}: {}", name_of(screened->verdict), reason_of(screened->verdict)),
        "hone check X.mep");
  allowance_.prepared();
  outcome_.original = screened->times;
  context_.original_time = figure_of(screened->times);
  if (options_.least.size() == screened->times.size()) context_.least = figure_of(options_.least);
  Incumbent incumbent;
  incumbent.variant = original;
  proven_.push_back({std::move(incumbent), {}, context_.original_time});
  learn(original, screened->times);
  return {};
}

/// What the next round is based on: how long the incumbent takes, and what can be read off it.
void Run::learn(const Variant& variant, const std::map<std::string, Timed>& times) {
  for (const auto& [workload, timed] : times)
    if (!timed.span.empty()) context_.incumbent[workload] = median(timed.span);
  profile_ = profile_of(mep_, variant, ports_.evaluator->device(), median(times.begin()->second.span), options_.least);
  advice_ = ports_.analyse(variant, profile_);
  profile_.access_patterns = advice_.access_patterns;
}

/// One look at each new template, so that faulty ones can be mended (AER) and a first win is proven early; then
/// successive halving among all that have something left; then the leader against the incumbent.
Status Run::one_round() {
  const auto known = what_is_known();
  const auto first = tunings_.size();
  ask_proposers(known);
  ask_aside();
  if (auto done = look_at_new(known, first); !done) return done;
  if (auto done = ask_one_by_one(); !done) return done;
  if (is_asking())
    if (auto done = tune_while_asking(known); !done) return done;
  nothing_new_ = tunings_.size() == first;
  if (nothing_new_ && !unfinished()) return {};
  for (auto& tuning : tunings_) tuning.begin_round();
  if (proven_.size() == 1)
    if (auto done = claim(known, worth_while_searching, options_.confirmations); !done) return done;
  if (is_over()) return {};
  if (auto done = tune(!nothing_new_ || somebody_has_more()); !done) return done;
  for (auto& tuning : tunings_) tuning.end_round();
  if (is_over()) return {};  // the end makes its own claim
  return claim(known, worth_while_searching, options_.confirmations);
}

/// Half of what is left is spent while the answers are on their way; then they are waited for, which costs nothing.
Status Run::tune_while_asking(const RoundContext& known) {
  for (auto& tuning : tunings_) tuning.begin_round();
  if (proven_.size() == 1)
    if (auto done = claim(known, worth_while_searching, options_.confirmations); !done) return done;
  if (!is_over())
    if (auto done = tune(true); !done) return done;
  return is_over() ? Status() : hear_out();
}

/// Half of what is left while proposers may have more; all of it when they have not, or when half is too little.
Status Run::tune(bool more_to_come) {
  const auto scope = ledger_.spend_on(Purpose::Screening);
  const double left = allowance_.left();
  const double least = trials_of_a_round * context_.cost_of_a_look();
  const bool last = !more_to_come || state_.round == options_.rounds;
  std::vector<Tuning*> all;
  for (auto& tuning : tunings_)
    if (!is_to_be_mended(tuning)) all.push_back(&tuning);
  return halve(context_, all, last ? left : std::min(left, std::max(left / 2, least)),
               [this](const Tuning& tuning) { show("tuning " + tuning.proposed().name); });
}

bool Run::unfinished() const {
  return !waiting_.empty() || std::ranges::any_of(tunings_, [](const Tuning& t) { return !t.finished(); });
}

double Run::of_least(double figure) const { return figure > 0 ? context_.least / figure : 0; }

std::optional<std::string> Run::why_over() const {
  if (auto spent = allowance_.ended()) return spent;
  if (context_.is_enough(best_proven().figure))
    return fmt::format("{:.0f}% of the least possible time", 100 * of_least(best_proven().figure));
  if (state_.round > 0 && nothing_new_ && !unfinished() && !somebody_has_more()) {
    const bool quiet = std::ranges::any_of(tunings_, &Tuning::settled);
    return quiet ? fmt::format("less than {:.1f}% expected of more trials", 100 * options_.floor)
                 : std::string("nothing left to try");
  }
  return std::nullopt;
}

void Run::show(const std::string& doing) {
  state_.doing = doing;
  ports_.progress(state_);
}

void Run::tell() {
  for (auto* proposer : ports_.proposers)
    for (auto& reason : proposer->declined()) outcome_.reasons.push_back(proposer->name() + ": " + reason);
  outcome_.winner = best_proven().incumbent;
  outcome_.winner_template = best_proven().made_of;
  if (const auto* tuning = tuning_of_winner()) outcome_.winner_template = tuning->constrained();
  outcome_.attempts = attempts();
  for (const auto& tuning : tunings_) outcome_.tuned.push_back(tuning.searched());
  outcome_.evaluations = allowance_.evaluations();
  outcome_.failures = state_.failures;
  outcome_.took = allowance_.took();
  outcome_.interrupted = ports_.stop();
}

Variant original_of(const Mep& mep) { return {mep.language, mep.source, {}, mep.options}; }

Result<Outcome> improve(const Mep& mep, const LoopOptions& options, const Ports& ports) {
  return Run(mep, options, ports).all();
}

}  // namespace hone::loop
