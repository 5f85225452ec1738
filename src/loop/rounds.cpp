#include "loop/rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "loop/halving.hpp"
#include "loop/tuning.hpp"

namespace hone::loop {
namespace {

class Rounds {
 public:
  Rounds(const Mep& mep, const LoopOptions& options, const Ports& ports)
      : mep_(mep), options_(options), ports_(ports), allowance_(options.budget, ports.now) {
    context_.run = options.run;
    context_.mep_hash = options.mep_hash;
    context_.strategy = options.strategy;
    context_.seed = options.seed;
    context_.batch = options.batch;
    context_.prior = options.prior;
    state_.rounds = options.rounds;
  }

  Result<Outcome> all() {
    if (auto done = measure_original(); !done) return fail(std::move(done).error());
    for (int round = 1; round <= options_.rounds && !ended(); ++round) {
      outcome_.rounds = state_.round = context_.round = round;
      const auto gain = one_round(round);
      if (!gain) return fail(gain.error());
      if (*gain < options_.threshold) break;
    }
    if (auto done = prove(); !done) return fail(std::move(done).error());
    for (auto* proposer : ports_.proposers)
      for (auto& reason : proposer->declined()) outcome_.reasons.push_back(proposer->name() + ": " + reason);
    outcome_.ended = allowance_.ended().value_or("");
    outcome_.evaluations = allowance_.evaluations();
    outcome_.failures = state_.failures;
    outcome_.took = allowance_.took();
    outcome_.interrupted = ports_.stop();
    return std::move(outcome_);
  }

 private:
  bool ended() const { return allowance_.ended() || ports_.stop(); }

  Status measure_original() {
    outcome_.winner.variant = original_of(mep_);
    Trial about;
    about.proposer = "original";
    auto screened = screen_logged(context_, outcome_.winner.variant, about);
    if (!screened) return fail(std::move(screened).error().context("running the original kernel"));
    if (!std::holds_alternative<Timed>(screened->verdict))
      return fail(
          "E-ORIGINAL",
          fmt::format("the original kernel itself is {}: {}", name_of(screened->verdict), reason_of(screened->verdict)),
          "hone check X.mep");
    outcome_.original = screened->times;
    context_.original_time = figure_of(screened->times);
    take_incumbent_times(screened->times);
    const auto profile = ports_.evaluator->profile(outcome_.winner.variant, screened->times.begin()->second);
    if (profile) outcome_.original_profile = profile_ = *profile;
    return {};
  }

  void take_incumbent_times(const std::map<std::string, Timed>& times) {
    for (const auto& [workload, timed] : times) context_.incumbent[workload] = median(timed.span);
  }

  RoundContext what_is_known(int round) {
    RoundContext known;
    known.mep = mep_;
    std::erase_if(known.mep.workloads, [](const Workload& w) { return w.role == Role::HeldOut; });
    known.device = ports_.evaluator->device();
    known.incumbent = outcome_.winner;
    known.profile = profile_;
    known.suggestions = ports_.suggest(outcome_.winner.variant, profile_);
    if (auto patterns = ports_.log->patterns()) known.patterns = std::move(*patterns);
    known.tried = outcome_.attempts;
    known.limits = options_.limits;
    known.round = round;
    known.limit = options_.candidates;
    return known;
  }

  /// The gain over the incumbent at the start of the round; 1 when it stays.
  Result<double> one_round(int round) {
    const auto known = what_is_known(round);
    auto tunings = proposals(known);
    if (tunings.empty()) return 1.0;
    const double share = allowance_.left() / (options_.rounds - round + 1);
    if (auto done = tune_all(known, tunings, share); !done) return fail(std::move(done).error());
    const auto gain = choose(known, tunings);
    for (const auto& tuning : tunings) note_attempt(round, tuning);
    return gain;
  }

  std::vector<Tuning> proposals(const RoundContext& known) {
    std::vector<Tuning> out;
    for (auto* proposer : ports_.proposers) {
      state_.doing = "asking " + proposer->name();
      ports_.progress(state_);
      auto templates = allowance_.uncounted([&] { return proposer->propose(known); });
      if (!templates) {
        refuse(proposer->name(), templates.error().message());
        continue;
      }
      if (templates->size() > options_.candidates) templates->resize(options_.candidates);
      for (auto& proposed : *templates) add(proposed, proposer->name(), out);
    }
    return out;
  }

  void add(const Template& proposed, const std::string& proposer, std::vector<Tuning>& out) {
    Template key = proposed;
    key.name = key.rationale = {};
    const auto unseen = std::ranges::none_of(seen_, [&](const Template& t) { return t == key; });
    if (!unseen) return;
    seen_.push_back(key);
    auto tuning = Tuning::start(context_, proposed, proposer);
    if (tuning) {
      out.push_back(std::move(*tuning));
      return;
    }
    refuse(proposer, proposed.name + ": " + tuning.error().message());
    outcome_.attempts.push_back({state_.round,
                                 proposer,
                                 proposed.name,
                                 proposed.rationale,
                                 proposed.schedule,
                                 {},
                                 "Infeasible",
                                 tuning.error().message(),
                                 0});
  }

  void refuse(const std::string& who, const std::string& why) {
    outcome_.reasons.push_back(who + ": " + why);
    ports_.note(who + ": " + why);
  }

  /// First one look at each, so that faulty ones can be repaired (AER); then successive halving.
  Status tune_all(const RoundContext& known, std::vector<Tuning>& tunings, double share) {
    const double end = allowance_.spent() + share;
    for (std::size_t i = 0; i < tunings.size() && !ports_.stop(); ++i)
      if (auto done = screen_first(known, tunings, i); !done) return done;
    const auto show = [this](const Tuning& tuning) {
      state_.doing = "tuning " + tuning.proposed().name;
      ports_.progress(state_);
    };
    return halve(context_, tunings, std::max(0.0, end - allowance_.spent()), show);
  }

  Status screen_first(const RoundContext& known, std::vector<Tuning>& tunings, std::size_t i) {
    for (int repair = 0;; ++repair) {
      state_.doing = "trying " + tunings[i].proposed().name;
      ports_.progress(state_);
      if (auto more = tunings[i].advance(context_, 0.001); !more) return fail(std::move(more).error());
      if (tunings[i].best() || !tunings[i].fault() || repair >= options_.repairs || ports_.stop()) return {};
      const auto fixed = repaired(known, *tunings[i].fault(), tunings[i].proposer());
      if (!fixed) return {};
      auto next = Tuning::start(context_, *fixed, tunings[i].proposer());
      if (!next) return {};
      note_attempt(known.round, tunings[i]);
      tunings[i] = std::move(*next);
    }
  }

  std::optional<Template> repaired(const RoundContext& known, const Fault& fault, const std::string& who) {
    for (auto* proposer : ports_.proposers) {
      if (proposer->name() != who) continue;
      state_.doing = "asking " + who + " to repair " + fault.proposed.name;
      ports_.progress(state_);
      auto answer = allowance_.uncounted([&] { return proposer->repair(known, fault); });
      if (!answer)
        refuse(proposer->name(), answer.error().message());
      else
        return *answer;
    }
    return std::nullopt;
  }

  void note_attempt(int round, const Tuning& tuning) {
    Attempt attempt{round,
                    tuning.proposer(),
                    tuning.proposed().name,
                    tuning.proposed().rationale,
                    tuning.proposed().schedule,
                    {},
                    "not faster",
                    {},
                    0};
    if (tuning.best()) {
      attempt.best = *tuning.best();
      attempt.speedup = context_.original_time / tuning.best_figure();
      if (outcome_.winner.template_name == tuning.proposed().name && outcome_.winner.proposer == tuning.proposer())
        attempt.fate = "faster";
    } else if (tuning.fault()) {
      attempt.fate = name_of(tuning.fault()->verdict);
      attempt.reason = reason_of(tuning.fault()->verdict);
      refuse(tuning.proposer(), attempt.template_name + ": " + attempt.fate + ": " + attempt.reason);
    } else {
      attempt.fate = "not tried";
      attempt.reason = "the budget ended first";
    }
    outcome_.attempts.push_back(std::move(attempt));
    outcome_.tuned.push_back(tuning.searched());
  }

  /// Confirms the most promising candidates until one is proven faster than the incumbent.
  Result<double> choose(const RoundContext& known, std::vector<Tuning>& tunings) {
    for (std::size_t tries = 0; tries < options_.confirmations && !ports_.stop(); ++tries) {
      const auto best =
          std::ranges::min_element(tunings, {}, [](const Tuning& t) { return t.best() ? t.best_figure() : 1e300; });
      if (best == tunings.end() || !best->best() || best->best_figure() >= incumbent_figure()) break;
      state_.doing = "confirming " + best->proposed().name;
      ports_.progress(state_);
      auto confirmed = ports_.evaluator->confirm(best->best_variant(), outcome_.winner.variant, false);
      if (!confirmed) return fail(std::move(confirmed).error());
      const auto trial = log_confirmation(*best, *confirmed);
      if (!trial) return fail(trial.error());
      const bool passed = std::holds_alternative<Timed>(confirmed->verdict);
      if (passed && confirmed->comparison.call == Comparison::Call::Faster) return accept(*best, *confirmed, *trial);
      const auto outcome =
          passed ? fmt::format("{}, ratio {:.3f}", name_of(confirmed->comparison.call), confirmed->comparison.ratio)
                 : fmt::format("{} {}", name_of(confirmed->verdict), reason_of(confirmed->verdict));
      refuse(best->proposer(), fmt::format("{} ({}): {}", best->proposed().name, print(*best->best()), outcome));
      const Fault fault{best->proposed(), *best->best(), best->best_variant().source, confirmed->verdict};
      const auto proposer = best->proposer();
      best->refuse_best();
      if (!passed)
        if (auto done = offer_repair(known, fault, proposer, tunings); !done) return fail(std::move(done).error());
    }
    return 1.0;
  }

  double incumbent_figure() const {
    double sum = 0;
    for (const auto& [workload, time] : context_.incumbent) sum += std::log(std::max(time.count(), 1.0));
    return std::exp(sum / static_cast<double>(std::max<std::size_t>(context_.incumbent.size(), 1)));
  }

  /// Wrong only where the search did not look: the proposer is told (without held-out values) and may answer.
  Status offer_repair(const RoundContext& known, const Fault& fault, const std::string& proposer,
                      std::vector<Tuning>& tunings) {
    if (repairs_offered_++ >= options_.repairs) return {};
    const auto fixed = repaired(known, fault, proposer);
    if (!fixed) return {};
    const auto before = tunings.size();
    add(*fixed, proposer, tunings);
    if (tunings.size() == before) return {};
    auto more = tunings.back().advance(context_, std::max(1.0, 0.1 * allowance_.left()));
    if (!more) return fail(std::move(more).error());
    return {};
  }

  Result<std::string> log_confirmation(const Tuning& tuning, const Confirmation& confirmed) {
    Trial trial;
    trial.run = context_.run;
    trial.variant = hash_of(tuning.best_variant());
    trial.workload = "all";
    trial.device = ports_.evaluator->device().name;
    trial.proposer = tuning.proposer();
    trial.template_name = tuning.proposed().name;
    trial.rationale = tuning.proposed().rationale;
    trial.configuration = *tuning.best();
    trial.verdict = confirmed.verdict;
    trial.round = context_.round;
    const auto& device = ports_.evaluator->device();
    return ports_.log->append(trial, {trial.variant, "", context_.mep_hash + "/all", device.name, device.driver,
                                      "confirm-" + hash_of(outcome_.winner.variant)});
  }

  double accept(const Tuning& tuning, const Confirmation& confirmed, const std::string& trial) {
    outcome_.winner = {tuning.best_variant(), tuning.proposed().name,
                       tuning.proposer(),     tuning.proposed().schedule,
                       *tuning.best(),        outcome_.winner.speedup * confirmed.comparison.ratio};
    outcome_.winner_template = tuning.proposed();
    std::map<std::string, Timed> times;
    for (const auto& result : confirmed.workloads)
      if (result.role == Role::Tune) times[result.workload] = result.challenger;
    if (times.empty()) times["tune"] = std::get<Timed>(confirmed.verdict);
    take_incumbent_times(times);
    const auto profile = ports_.evaluator->profile(outcome_.winner.variant, times.begin()->second);
    if (profile) profile_ = *profile;
    if (const auto pattern = ports_.pattern_of(outcome_.winner, confirmed.comparison, trial))
      if (const auto recorded = ports_.log->record(*pattern); !recorded)
        ports_.note("pattern not recorded: " + recorded.error().message());
    ports_.note(fmt::format("round {}: {} ({}) {:.2f}x against the incumbent", context_.round, tuning.proposed().name,
                            print(*tuning.best()), confirmed.comparison.ratio));
    return confirmed.comparison.ratio;
  }

  /// The claim: the winner against K(0) on every workload.
  Status prove() {
    if (outcome_.winner.template_name.empty()) return {};
    state_.doing = "proving the winner against the original";
    ports_.progress(state_);
    auto proof = ports_.evaluator->confirm(outcome_.winner.variant, original_of(mep_), true);
    if (!proof) return fail(std::move(proof).error());
    const bool holds =
        std::holds_alternative<Timed>(proof->verdict) && proof->comparison.call == Comparison::Call::Faster;
    if (holds) {
      outcome_.winner.speedup = proof->comparison.ratio;
      outcome_.proof = std::move(*proof);
      return {};
    }
    refuse(outcome_.winner.proposer,
           fmt::format("{}: the gain did not hold against the original: {} {}", outcome_.winner.template_name,
                       name_of(proof->verdict), reason_of(proof->verdict)));
    outcome_.winner = {};
    outcome_.winner.variant = original_of(mep_);
    outcome_.winner_template = {};
    return {};
  }

  const Mep& mep_;
  const LoopOptions& options_;
  const Ports& ports_;
  Allowance allowance_;
  ProgressState state_;
  Outcome outcome_;
  Profile profile_;
  std::vector<Template> seen_;
  int repairs_offered_ = 0;
  TuningContext context_{mep_, ports_, allowance_, {}, {}, 0, {}, 1, 2, {}, state_, 0, {}};
};

}  // namespace

Variant original_of(const Mep& mep) { return {mep.language, mep.source, {}, mep.options}; }

Result<Outcome> improve(const Mep& mep, const LoopOptions& options, const Ports& ports) {
  return Rounds(mep, options, ports).all();
}

}  // namespace hone::loop
