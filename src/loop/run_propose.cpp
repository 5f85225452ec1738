// Who proposes what, the first look at it, and its repair.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "loop/run.hpp"
#include "patterns/patterns.hpp"

namespace hone::loop {
namespace {

/// Of what is left, for first looks: the rest tunes what they find.
constexpr double share_of_looks = 1.0 / 3;

}  // namespace

RoundContext Run::what_is_known() const {
  RoundContext known;
  known.mep = mep_;
  std::erase_if(known.mep.workloads, [](const Workload& w) { return w.role == Role::HeldOut; });
  known.device = ports_.evaluator->device();
  known.incumbent = best_proven().incumbent;
  known.profile = profile_;
  known.suggestions = advice_.suggestions;
  if (auto patterns = ports_.log->patterns())
    known.patterns = patterns::ranked(*patterns, mep_, known.device, 20, ports_.pattern_uses);
  known.tried = attempts();
  known.limits = options_.limits;
  known.round = state_.round;
  known.limit = known.slots = affordable();
  known.briefing = ports_.briefing;
  known.parents = parents();
  known.original_time = Nanoseconds(context_.original_time);
  known.budget_left = budget_left();
  return known;
}

/// Templates per proposer that the budget can pay a look for, by what looks cost so far.
std::size_t Run::affordable() const {
  const double cost =
      context_.cost_of_a_look() * static_cast<double>(std::max<std::size_t>(ports_.proposers.size(), 1));
  if (cost <= 0) return options_.candidates;
  const auto most = std::floor(share_of_looks * allowance_.left() / cost);
  return static_cast<std::size_t>(std::clamp(most, 1.0, static_cast<double>(options_.candidates)));
}

/// How many new templates there are. More than was asked for waits for the next round; nothing is lost.
std::size_t Run::ask_proposers(const RoundContext& known) {
  const auto scope = ledger_.spend_on(Purpose::Proposing);
  const auto before = tunings_.size();
  for (auto waiting = std::exchange(waiting_, {}); auto& [proposed, who] : waiting) {
    if (tunings_.size() - before < known.limit)
      add(proposed, who, 0);
    else
      waiting_.emplace_back(std::move(proposed), who);
  }
  for (auto* proposer : ports_.proposers) {
    if (!waiting_.empty()) break;
    if (proposer->answers_one_by_one()) continue;
    show("asking " + proposer->name());
    auto templates = allowance_.uncounted([&] { return proposer->propose(known); });
    if (!templates) {
      refuse(proposer->name(), templates.error().message());
      continue;
    }
    std::size_t added = 0;
    for (auto& proposed : *templates) {
      if (added < known.limit)
        added += add(proposed, proposer->name(), 0) ? 1 : 0;
      else
        waiting_.emplace_back(std::move(proposed), proposer->name());
    }
  }
  return tunings_.size() - before;
}

bool Run::add(const Template& proposed, const std::string& proposer, int repairs) {
  Template key = proposed;
  key.name = key.rationale = {};
  if (std::ranges::find(seen_, key) != seen_.end()) return false;
  seen_.push_back(key);
  // Other defaults of a template that is being searched are points of that search.
  const auto known =
      std::ranges::find_if(tunings_, [&](const Tuning& t) { return t.is_same_but_for_defaults(proposed); });
  if (known != tunings_.end()) return known->seed(default_configuration(proposed.space));
  auto tuning = Tuning::start(context_, proposed, proposer);
  if (tuning) {
    tuning->repairs = repairs;
    tunings_.push_back(std::move(*tuning));
    return true;
  }
  refuse(proposer, proposed.name + ": " + tuning.error().message());
  Attempt attempt;
  attempt.round = state_.round;
  attempt.proposer = proposer;
  attempt.template_name = proposed.name;
  attempt.rationale = proposed.rationale;
  attempt.schedule = proposed.schedule;
  attempt.fate = "Infeasible";
  attempt.reason = tuning.error().message();
  replaced_.push_back(std::move(attempt));
  return false;
}

void Run::refuse_fault(const Tuning& tuning) {
  refuse(tuning.proposer(), fmt::format("{}: {}: {}", tuning.proposed().name, name_of(tuning.fault()->verdict),
                                        reason_of(tuning.fault()->verdict)));
}

void Run::refuse(const std::string& who, const std::string& why) {
  outcome_.reasons.push_back(who + ": " + why);
  ports_.note(who + ": " + why);
}

/// The first points of all of them are built together: that uses every core, and nothing is timed meanwhile.
Status Run::look_at_new(const RoundContext& known, std::size_t first) {
  const auto scope = ledger_.spend_on(Purpose::Screening);
  std::vector<Variant> variants;
  for (auto i = first; i < tunings_.size(); ++i)
    if (auto variant = tunings_[i].first_variant(context_)) variants.push_back(std::move(*variant));
  if (variants.size() > 1) {
    show(fmt::format("building {} templates", variants.size()));
    const auto before = ports_.now();
    ports_.evaluator->prepare(variants);
    context_.screening += ports_.now() - before;
  }
  for (auto i = first; i < tunings_.size() && !ports_.stop(); ++i)
    if (auto done = look_and_mend(known, i); !done) return done;
  return {};
}

Status Run::look_and_mend(const RoundContext& known, std::size_t index) {
  for (;;) {
    auto& tuning = tunings_[index];
    show("trying " + tuning.proposed().name);
    if (auto done = tuning.look(context_); !done) return done;
    if (tuning.best() || !tuning.fault()) return {};
    refuse_fault(tuning);
    const auto fixed = repaired(known, *tuning.fault(), tuning);
    if (!fixed) return {};
    if (!replace(index, *fixed)) return {};
  }
}

/// By what it was mended into. False where that cannot be searched.
bool Run::replace(std::size_t index, const Template& fixed) {
  auto& tuning = tunings_[index];
  auto next = Tuning::start(context_, fixed, tuning.proposer());
  if (!next) return false;
  next->repairs = tuning.repairs + 1;
  replaced_.push_back(attempt_of(tuning));
  outcome_.tuned.push_back(tuning.searched());
  tuning = std::move(*next);
  return true;
}

/// One rule wherever the fault shows: a template and what it was mended into share one number of attempts.
std::optional<Template> Run::repaired(const RoundContext& known, const Fault& fault, const Tuning& of) {
  if (of.repairs >= options_.repairs || ports_.stop()) return std::nullopt;
  const auto proposer = std::ranges::find(ports_.proposers, of.proposer(), &Proposer::name);
  if (proposer == ports_.proposers.end()) return std::nullopt;
  const auto scope = ledger_.spend_on(Purpose::Proposing);
  if (asks_aside(**proposer)) let_it_answer();
  show("asking " + of.proposer() + " to repair " + fault.proposed.name);
  auto answer = allowance_.uncounted([&] { return (*proposer)->repair(known, fault); });
  if (answer) return *answer;
  refuse(of.proposer(), answer.error().message());
  return std::nullopt;
}

Attempt Run::attempt_of(const Tuning& tuning) const {
  Attempt attempt;
  attempt.round = tuning.round;
  attempt.proposer = tuning.proposer();
  attempt.template_name = tuning.proposed().name;
  attempt.rationale = tuning.proposed().rationale;
  attempt.schedule = tuning.proposed().schedule;
  if (tuning.best()) {
    const auto& winner = best_proven().incumbent;
    const bool won = winner.template_name == attempt.template_name && winner.proposer == attempt.proposer;
    attempt.fate = won ? "faster" : "not faster";
    attempt.best = *tuning.best();
    attempt.speedup = context_.original_time / tuning.best_figure();
    attempt.time = Nanoseconds(tuning.best_figure());
    attempt.of_least = of_least(tuning.best_figure());
  } else if (tuning.fault()) {
    attempt.fate = name_of(tuning.fault()->verdict);
    attempt.reason = reason_of(tuning.fault()->verdict);
  } else {
    attempt.fate = tuning.searched().told.empty() ? "not tried" : "not faster";
    attempt.reason = tuning.searched().told.empty() ? "the budget ended first" : "clearly slower than the incumbent";
  }
  return attempt;
}

std::vector<Attempt> Run::attempts() const {
  auto out = replaced_;
  for (const auto& tuning : tunings_) out.push_back(attempt_of(tuning));
  std::ranges::stable_sort(out, {}, &Attempt::round);
  return out;
}

}  // namespace hone::loop
