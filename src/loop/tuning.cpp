#include "loop/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "loop/feasible.hpp"

namespace hone::loop {
namespace {

/// A template whose search stands still is worth less than the next round.
constexpr std::size_t patience = 60;
constexpr auto screen_protocol = "screen-1";

/// A repetition is asked for because the first measurement is in doubt: it must not be answered from the log.
VerdictKey key_of(const TuningContext& context, const Variant& variant, const std::string& workload,
                  std::size_t repetition) {
  const auto& device = context.ports.evaluator->device();
  const auto protocol =
      repetition == 0 ? std::string(screen_protocol) : fmt::format("{}.{}", screen_protocol, repetition);
  return {hash_of(variant), join(variant.options, " "), context.mep_hash + "/" + workload, device.name, device.driver,
          protocol};
}

std::vector<std::string> tune_workloads(const Mep& mep) {
  std::vector<std::string> out;
  for (const auto& workload : mep.workloads)
    if (workload.role == Role::Tune) out.push_back(workload.name);
  return out;
}

/// What the log knows of a variant: a failure on any workload, or a time on all of them.
Result<std::optional<Screened>> remembered(const TuningContext& context, const Variant& variant,
                                           std::size_t repetition) {
  Screened out;
  for (const auto& workload : tune_workloads(context.mep)) {
    const auto verdict = context.ports.log->lookup(key_of(context, variant, workload, repetition));
    if (!verdict) return fail(verdict.error());
    if (!*verdict) return std::nullopt;
    out.verdict = **verdict;
    const auto* timed = std::get_if<Timed>(&out.verdict);
    if (timed == nullptr) return out;
    out.times[workload] = *timed;
  }
  return out;
}

search::ByShape by_workload(const Screened& screened) {
  search::ByShape out;
  for (const auto& [workload, timed] : screened.times) {
    const double time = median(timed.span).count();
    out[workload] = screened.censored ? search::Outcome::censored(time) : search::Outcome::measured(time);
  }
  return out;
}

}  // namespace

search::Outcome outcome_of(const Screened& screened) {
  if (!std::holds_alternative<Timed>(screened.verdict)) return search::Outcome::failed();
  const double figure = figure_of(screened.times);
  return screened.censored ? search::Outcome::censored(figure) : search::Outcome::measured(figure);
}

double figure_of(const std::map<std::string, Timed>& times) {
  if (times.empty()) return 0;
  double sum = 0;
  for (const auto& [workload, timed] : times) sum += std::log(std::max(median(timed.span).count(), 1.0));
  return std::exp(sum / static_cast<double>(times.size()));
}

Result<Screened> screen_logged(TuningContext& context, const Variant& variant, const Trial& about,
                               std::size_t repetition) {
  const auto known = remembered(context, variant, repetition);
  if (!known) return fail(known.error());
  if (*known) return **known;
  auto screened = context.ports.evaluator->screen(variant, context.incumbent);
  if (!screened) return screened;
  Trial trial = about;
  trial.run = context.run;
  trial.variant = hash_of(variant);
  trial.device = context.ports.evaluator->device().name;
  trial.round = context.round;
  const bool timed = std::holds_alternative<Timed>(screened->verdict);
  for (const auto& workload : tune_workloads(context.mep)) {
    trial.workload = workload;
    trial.verdict = timed ? Verdict(screened->times[workload]) : screened->verdict;
    const auto appended = context.ports.log->append(trial, key_of(context, variant, workload, repetition));
    if (!appended) return fail(appended.error());
  }
  return screened;
}

Result<Tuning> Tuning::start(TuningContext& context, Template proposed, std::string proposer) {
  auto space = feasible_space(proposed, context.mep, context.ports.evaluator->device());
  if (!space) return fail(std::move(space).error());
  search::StrategyOptions options;
  options.seed = context.seed;
  options.prior = context.prior;
  auto strategy = search::make_strategy(context.strategy, *space, options);
  if (!strategy) return fail(std::move(strategy).error());
  Searched searched{proposed.name, std::move(proposer), std::move(*space), {}, {}};
  return Tuning(std::move(proposed), std::move(searched), std::move(*strategy));
}

Result<bool> Tuning::advance(TuningContext& context, double share) {
  const double until = context.allowance.spent() + share;
  while (!exhausted_ && context.allowance.spent() < until && !context.allowance.ended() && !context.ports.stop()) {
    std::vector<Configuration> batch;
    while (batch.size() < std::min(context.batch, context.allowance.evaluations_left())) {
      auto next = strategy_->ask();
      if (!next) break;
      batch.push_back(std::move(*next));
    }
    if (batch.empty()) exhausted_ = true;
    if (auto done = evaluate(context, batch); !done) return fail(std::move(done).error());
    if (since_gain_ > patience) exhausted_ = true;
  }
  return !exhausted_;
}

Status Tuning::evaluate(TuningContext& context, const std::vector<Configuration>& batch) {
  std::vector<Result<Variant>> made;
  std::vector<Variant> fresh;
  for (const auto& configuration : batch) {
    made.push_back(context.ports.instantiate(proposed_, configuration));
    if (made.back()) fresh.push_back(*made.back());
  }
  if (fresh.size() > 1) context.ports.evaluator->prepare(fresh);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    Screened screened{Infeasible{}, {}, false};
    if (!made[i]) {
      screened.verdict = Infeasible{made[i].error().message()};
    } else {
      Trial about;
      about.proposer = searched_.proposer;
      about.template_name = proposed_.name;
      about.rationale = proposed_.rationale;
      about.configuration = batch[i];
      const auto earlier = std::ranges::count(searched_.told, batch[i], &search::Told::configuration);
      auto result = screen_logged(context, *made[i], about, static_cast<std::size_t>(earlier));
      if (!result) return fail(std::move(result).error());
      screened = std::move(*result);
      context.allowance.evaluated(outcome_of(screened));
    }
    tell(batch[i], made[i] ? &*made[i] : nullptr, screened);
    auto& state = context.state;
    state.evaluations = context.allowance.evaluations();
    if (!std::holds_alternative<Timed>(screened.verdict)) ++state.failures;
    if (best_ && context.original_time > 0) state.best = std::max(state.best, context.original_time / best_figure_);
    state.done = context.allowance.spent() / context.allowance.total();
    state.elapsed = context.allowance.elapsed();
    state.left = context.allowance.estimate();
    context.ports.progress(state);
  }
  return {};
}

void Tuning::tell(const Configuration& configuration, const Variant* variant, const Screened& screened) {
  ++since_gain_;
  const auto outcome = outcome_of(screened);
  strategy_->tell(configuration, outcome);
  searched_.told.push_back({configuration, outcome});
  searched_.by_workload.push_back(by_workload(screened));
  if (outcome.kind == search::Outcome::Kind::Failed && !fault_)
    fault_ = Fault{proposed_, configuration, variant == nullptr ? std::string() : variant->source, screened.verdict};
  if (outcome.kind != search::Outcome::Kind::Measured) return;
  const auto known = std::ranges::find(points_, configuration, &Point::configuration);
  if (known == points_.end()) {
    points_.push_back({configuration, *variant, outcome.value, 1});
  } else {
    const auto n = static_cast<double>(known->measurements++);
    known->figure = std::exp((n * std::log(known->figure) + std::log(outcome.value)) / (n + 1));
  }
  const double before = best_figure_;
  find_best();
  if (before == 0 || best_figure_ < 0.99 * before) since_gain_ = 0;
}

/// The strategy's choice, which one lucky measurement does not make; the smallest figure when that one was refused.
void Tuning::find_best() {
  const auto liked = strategy_->best();
  auto best = liked ? std::ranges::find(points_, *liked, &Point::configuration) : points_.end();
  if (best == points_.end()) best = std::ranges::min_element(points_, {}, &Point::figure);
  if (best == points_.end()) {
    best_.reset();
    return;
  }
  best_ = best->configuration;
  best_variant_ = best->variant;
  best_figure_ = best->figure;
}

void Tuning::refuse_best() {
  std::erase_if(points_, [this](const Point& p) { return p.configuration == *best_; });
  find_best();
}

}  // namespace hone::loop
