#include "loop/tuning.hpp"

#include <algorithm>
#include <cmath>

#include "loop/feasible.hpp"

namespace hone::loop {
namespace {

search::ByShape by_workload(const Screened& screened) {
  search::ByShape out;
  for (const auto& [workload, timed] : screened.times) {
    if (timed.span.empty()) continue;
    const double time = median(timed.span).count();
    out[workload] = screened.censored ? search::Outcome::censored(time) : search::Outcome::measured(time);
  }
  return out;
}

}  // namespace

Result<Tuning> Tuning::start(const TuningContext& context, Template proposed, std::string proposer) {
  auto space = feasible_space(proposed, context.mep, context.ports.evaluator->device());
  if (!space) return fail(std::move(space).error());
  auto region = search::Region::build(*space);
  if (!region) return fail(std::move(region).error());
  auto own = *region;  // what the search takes from it, points that others name are held against too
  search::StrategyOptions options;
  options.seed = context.options.seed;
  options.prior = context.options.prior;
  auto strategy = search::make_strategy(context.options.strategy, std::move(*region), options);
  if (!strategy) return fail(std::move(strategy).error());
  Searched searched{proposed.name, std::move(proposer), std::move(*space), {}, {}};
  Tuning tuning(std::move(proposed), std::move(searched), std::move(own), std::move(*strategy));
  tuning.round = context.round;
  return tuning;
}

bool Tuning::is_feasible(const Configuration& configuration) const {
  const auto point = region_.point(configuration);
  return point && region_.contains(*point);
}

std::optional<Configuration> Tuning::ask(double floor) {
  auto next = strategy_->ask();
  // What lies where everything failed is told to have failed too, and costs nothing.
  while (next && failing_range_ && failing_range_->holds(*next)) {
    strategy_->tell(*next, search::Outcome::failed());
    next = strategy_->ask();
  }
  // A strategy that does not know what to expect, or repeats a measurement, says nothing either way.
  if (const auto gain = strategy_->expected_gain()) quiet_asks_ = *gain < floor ? quiet_asks_ + 1 : 0;
  return next;
}

std::optional<Variant> Tuning::first_variant(const TuningContext& context) {
  if (!looked_ && !first_) {
    const auto standard = default_configuration(proposed_.space);
    first_ = is_feasible(standard) ? std::optional(standard) : ask(context.options.floor);
  }
  if (!first_) return std::nullopt;
  auto made = context.ports.instantiate(proposed_, *first_);
  return made ? std::optional(std::move(*made)) : std::nullopt;
}

Status Tuning::look(TuningContext& context) {
  if (looked_) return {};
  (void)first_variant(context);
  looked_ = true;
  if (!first_) {
    exhausted_ = true;
    return {};
  }
  auto next = std::exchange(first_, std::nullopt);
  // A configuration that a rule declines costs nothing, so the look goes on to one that can be built; and one point
  // that fails does not speak for the others.
  std::size_t failed = 0;
  for (std::size_t tries = 0; next && tries < most_failures; ++tries) {
    const auto before = context.allowance.evaluations();
    if (auto done = evaluate(context, {*next}); !done) return done;
    const bool tried = context.allowance.evaluations() != before;
    if (tried && (best_ || !last_failed() || ++failed > second_chances || context.allowance.ended())) break;
    next = ask(context.options.floor);
  }
  return {};
}

bool Tuning::last_failed() const {
  return !searched_.told.empty() && searched_.told.back().outcome.kind == search::Outcome::Kind::Failed;
}

std::optional<Configuration> Tuning::next_seed() {
  if (seeds_.empty()) return std::nullopt;
  auto next = std::move(seeds_.front());
  seeds_.erase(seeds_.begin());
  return next;
}

bool Tuning::seed(const Configuration& configuration) {
  const bool known =
      std::ranges::find(seeds_, configuration) != seeds_.end() ||
      std::ranges::find(searched_.told, configuration, &search::Told::configuration) != searched_.told.end();
  if (!is_feasible(configuration) || known) return false;
  seeds_.push_back(configuration);
  exhausted_ = false;
  quiet_rounds_ = 0;
  return true;
}

Status Tuning::try_seeds(TuningContext& context) {
  while (!seeds_.empty() && !context.allowance.ended() && !context.ports.stop())
    if (auto done = evaluate(context, {*next_seed()}); !done) return done;
  return {};
}

bool Tuning::is_same_but_for_defaults(const Template& other) const {
  const auto without_defaults = [](Template value) {
    value.name = value.rationale = {};
    for (auto& parameter : value.space.parameters) parameter.default_value = Value();
    std::erase_if(value.space.constraints, [](const Constraint& c) { return is_learned(c); });
    return value;
  };
  return !other.space.parameters.empty() && without_defaults(proposed_) == without_defaults(other);
}

Template Tuning::constrained() const {
  auto out = proposed_;
  auto told = searched_.told;
  std::erase_if(told, [&](const search::Told& one) {
    return std::ranges::find(refused_, one.configuration, &search::Told::configuration) != refused_.end();
  });
  told.insert(told.end(), refused_.begin(), refused_.end());
  for (auto& constraint : learned_constraints(proposed_.space, told))
    out.space.constraints.push_back(std::move(constraint));
  return out;
}

Status Tuning::advance(TuningContext& context, double share) {
  const double until = context.allowance.spent() + share;
  while (!exhausted_ && !quiet() && context.allowance.spent() < until && !context.allowance.ended() &&
         !context.ports.stop() && !(best_ && context.is_enough(best_figure_))) {
    std::vector<Configuration> batch;
    while (batch.size() < std::min(context.options.batch, context.allowance.evaluations_left())) {
      auto next = next_seed();
      if (!next) next = ask(context.options.floor);
      if (!next) break;
      batch.push_back(std::move(*next));
    }
    if (batch.empty()) exhausted_ = true;
    if (auto done = evaluate(context, batch); !done) return done;
    if (auto done = context.between(); !done) return done;
    if (is_hopeless()) exhausted_ = true;
  }
  return {};
}

bool Tuning::is_hopeless() const {
  return searched_.told.size() >= most_failures && std::ranges::all_of(searched_.told, [](const search::Told& told) {
           return told.outcome.kind == search::Outcome::Kind::Failed;
         });
}

Status Tuning::repeat_best(TuningContext& context) {
  if (!best_) return {};
  return evaluate(context, {*best_});
}

Result<Screened> Tuning::screen(TuningContext& context, const Configuration& configuration,
                                const Result<Variant>& made) {
  if (!made) return Screened{Infeasible{made.error().message()}, {}, false};
  Trial about;
  about.proposer = searched_.proposer;
  about.template_name = proposed_.name;
  about.rationale = proposed_.rationale;
  about.configuration = configuration;
  const auto earlier = std::ranges::count(searched_.told, configuration, &search::Told::configuration);
  auto screened = screen_logged(context, *made, about, static_cast<std::size_t>(earlier));
  if (screened) context.allowance.evaluated(outcome_of(*screened, context.incumbent));
  return screened;
}

Status Tuning::evaluate(TuningContext& context, const std::vector<Configuration>& batch) {
  std::vector<Result<Variant>> made;
  std::vector<Variant> fresh;
  for (const auto& configuration : batch) {
    made.push_back(context.ports.instantiate(proposed_, configuration));
    if (made.back()) fresh.push_back(*made.back());
  }
  if (fresh.size() > 1) {
    const auto before = context.ports.now();
    context.ports.evaluator->prepare(fresh);
    context.screening += context.ports.now() - before;
  }
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const auto screened = screen(context, batch[i], made[i]);
    if (!screened) return fail(screened.error());
    tell(context, batch[i], made[i] ? &*made[i] : nullptr, *screened);
    show(context, *screened);
  }
  return {};
}

void Tuning::show(TuningContext& context, const Screened& screened) const {
  auto& state = context.state;
  state.evaluations = context.allowance.evaluations();
  if (!std::holds_alternative<Timed>(screened.verdict)) ++state.failures;
  if (best_ && context.original_time > 0) state.best = std::max(state.best, context.original_time / best_figure_);
  state.done = context.allowance.spent() / context.allowance.total();
  state.elapsed = context.allowance.elapsed();
  state.left = context.allowance.estimate();
  context.ports.progress(state);
}

void Tuning::tell(const TuningContext& context, const Configuration& configuration, const Variant* variant,
                  const Screened& screened) {
  const auto outcome = outcome_of(screened, context.incumbent);
  strategy_->tell(configuration, outcome);
  searched_.told.push_back({configuration, outcome});
  searched_.by_workload.push_back(by_workload(screened));
  if (outcome.kind == search::Outcome::Kind::Failed) failing_range_ = failing_range(proposed_.space, searched_.told);
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
  find_best();
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
  best_measurements_ = best->measurements;
}

void Tuning::refuse_best() {
  refused_.push_back({*best_, search::Outcome::failed()});
  std::erase_if(points_, [this](const Point& p) { return p.configuration == *best_; });
  find_best();
}

}  // namespace hone::loop
