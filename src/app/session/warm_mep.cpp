#include "app/session/warm_mep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/analysis.hpp"
#include "app/briefing.hpp"
#include "app/putting_back.hpp"
#include "judge/check.hpp"
#include "judge/drawn_size.hpp"
#include "loop/least_time.hpp"
#include "loop/profile.hpp"
#include "loop/rounds.hpp"
#include "loop/screening.hpp"
#include "patch/limits.hpp"
#include "patch/shipped_form.hpp"
#include "patterns/patterns.hpp"

namespace hone::app {

WarmMep::WarmMep(std::string folder, std::string application, Mep mep)
    : folder_(std::move(folder)),
      application_(std::move(application)),
      mep_(std::move(mep)),
      ledger_(steady_now),
      instantiate_(mep_) {}

Result<std::unique_ptr<WarmMep>> WarmMep::open(const std::string& folder, const std::string& application,
                                               const WarmWishes& wishes) {
  auto mep = load_mep(folder);
  if (!mep) return fail(std::move(mep).error());
  std::unique_ptr<WarmMep> out(new WarmMep(folder, application, std::move(*mep)));
  if (!application.empty()) {
    const auto origin = load_origin(folder);
    if (!origin) return fail(origin.error());
    auto limits = patch_limits(out->mep_, *origin, application);
    if (!limits) return fail(std::move(limits).error());
    out->limits_ = std::move(*limits);
  }
  auto setup =
      JudgeSetup::open(out->mep_, wishes.device, {wishes.seed, std::nullopt, wishes.check_command}, &out->ledger_);
  if (!setup) return fail(std::move(setup).error());
  out->setup_ = std::move(*setup);
  auto log = open_log();
  if (!log) return fail(std::move(log).error());
  out->log_ = std::move(*log);
  out->mep_hash_ = judged_as(out->mep_, wishes.check_command);
  const auto& device = out->setup_->device();
  const auto run = out->log_->open_run(
      {out->mep_hash_, "candidates handed in", wishes.seed, device.id + " " + device.name + " " + device.driver});
  if (!run) return fail(run.error());
  out->run_ = *run;
  return out;
}

Result<Variant> WarmMep::variant_of(const Template& made_of, const Configuration& configuration) const {
  auto variant = instantiate_(made_of, configuration);
  if (variant) variant = patch::shipped_form(mep_, limits_, std::move(*variant));
  if (variant)
    if (auto allowed = patch::allows(limits_, *variant); !allowed) return fail(std::move(allowed).error());
  return variant;
}

Result<std::optional<double>> WarmMep::speedup_of(const judge::Judgement& seen) {
  if (!std::holds_alternative<Timed>(seen.verdict)) return std::nullopt;
  if (!original_) {
    auto looked = look(loop::original_of(mep_));
    if (!looked) return fail(std::move(looked).error());
    original_ = std::move(*looked);
  }
  const auto figure = loop::figure_of(seen.times), original = loop::figure_of(original_->times);
  return figure > 0 && original > 0 ? std::optional(original / figure) : std::nullopt;
}

Result<CheckedCandidate> WarmMep::check(const Template& made_of, const Configuration& configuration,
                                        const std::string& proposer, CheckEffort effort) {
  constexpr double worth_a_proof = 1.02;
  CheckedCandidate out;
  if (effort != CheckEffort::Prove) {
    const auto variant = variant_of(made_of, configuration);
    if (!variant) {
      out.confirmed.verdict = Infeasible{variant.error().message()};
      return out;
    }
    const auto seen = look(*variant);
    if (!seen) return fail(seen.error());
    auto looked = speedup_of(*seen);
    if (!looked) return fail(std::move(looked).error());
    out.looked = *looked;
    out.confirmed.verdict = seen->verdict;
    if (!out.looked || *out.looked < worth_a_proof || effort == CheckEffort::Look) {
      if (auto done = log(*variant, made_of, configuration, proposer, out.confirmed, true); !done)
        return fail(std::move(done).error());
      return out;
    }
  }
  auto confirmed = prove(made_of, configuration, proposer);
  if (!confirmed) return fail(std::move(confirmed).error());
  out.confirmed = std::move(*confirmed);
  return out;
}

Result<Confirmation> WarmMep::prove(const Template& made_of, const Configuration& configuration,
                                    const std::string& proposer) {
  auto variant = variant_of(made_of, configuration);
  if (!variant) {
    Confirmation infeasible;
    infeasible.verdict = Infeasible{variant.error().message()};
    return infeasible;
  }
  auto confirmed = judge::check_candidate(setup_->judge(), *variant);
  if (!confirmed) return confirmed;
  if (auto done = log(*variant, made_of, configuration, proposer, *confirmed, false); !done)
    return fail(std::move(done).error());
  if (confirmed->proves_faster())
    remember({{*variant, made_of.name, proposer, made_of.schedule, configuration, confirmed->comparison.ratio,
               made_of.rationale},
              made_of,
              *confirmed});
  return confirmed;
}

/// What was proven is a pattern for others, as it is when a run proves it.
Status WarmMep::log(const Variant& variant, const Template& made_of, const Configuration& configuration,
                    const std::string& proposer, const Confirmation& confirmed, bool looked) {
  const auto& device = setup_->device();
  Trial trial;
  trial.run = run_;
  trial.variant = hash_of(variant);
  trial.workload = "all";
  trial.device = device.name;
  trial.proposer = proposer;
  trial.template_name = made_of.name;
  trial.rationale = made_of.rationale;
  trial.configuration = configuration;
  trial.verdict = confirmed.verdict;
  const auto id =
      log_->append(trial, {trial.variant, "", mep_hash_ + "/all", device.name, device.driver,
                           (looked ? "look-" : "confirm-") + hash_of(loop::original_of(mep_)) + "-" + proposer});
  if (!id) return fail(id.error());
  if (!confirmed.proves_faster()) return {};
  const Incumbent winner{
      variant, made_of.name, proposer, made_of.schedule, configuration, confirmed.comparison.ratio, made_of.rationale};
  const auto pattern = patterns::pattern_of(mep_, winner, confirmed.comparison, device, *id);
  return pattern ? log_->record(*pattern) : Status();
}

Result<judge::Judgement> WarmMep::look(const Variant& variant) { return setup_->judge().screen(variant, {}); }

Profile WarmMep::profile(const Variant& variant, const judge::Judgement& seen) {
  const auto* lifted_kernel = lifted();
  if (!least_)
    least_ = loop::least_times(mep_, lifted_kernel != nullptr ? &lifted_kernel->unit : nullptr, setup_->device(),
                               setup_->ceilings());
  return loop::profile_of(mep_, variant, setup_->device(), median(seen.times.begin()->second.span), *least_);
}

loop::Advice WarmMep::advice(const Variant& variant, const Profile& profile) {
  return analyse_variant(mep_, variant, profile, setup_->device(), setup_->speed());
}

RoundContext WarmMep::told() {
  RoundContext context;
  context.mep = without_held_out(mep_);
  context.device = setup_->device();
  context.limits = limits_;
  context.briefing = brief(context.mep, lifted(), context.device, setup_->ceilings(), limits_);
  return context;
}

void WarmMep::remember(ProvenVariant proven) {
  if (!proven.proof.proves_faster()) return;
  const auto variant = hash_of(proven.winner.variant);
  proven_.insert_or_assign(variant, std::move(proven));
}

const ProvenVariant* WarmMep::find(const Variant& variant) const {
  const auto found = proven_.find(hash_of(variant));
  return found == proven_.end() ? nullptr : &found->second;
}

const ProvenVariant* WarmMep::best() const {
  const ProvenVariant* best = nullptr;
  for (const auto& [variant, one] : proven_)
    if (best == nullptr || one.proof.comparison.ratio > best->proof.comparison.ratio) best = &one;
  return best;
}

namespace {

/// The size drawn for a candidate is told with its claim, as part of it, and not otherwise.
Confirmation without_drawn_size(Confirmation confirmed) {
  if (confirmed.proves_faster()) return confirmed;
  for (auto* lines : {&confirmed.checks, &confirmed.notes})
    for (auto& line : *lines)
      if (const auto said = judge::told_of_drawn_size(line)) line = std::string(*said);
  return confirmed;
}

}  // namespace

nlohmann::json checked_json(const Confirmation& confirmed) {
  auto out = judge::to_json(without_drawn_size(confirmed));
  out["proven"] = confirmed.proves_faster();
  return out;
}

std::string checked_text(const Confirmation& confirmed) {
  return judge::to_text(without_drawn_size(confirmed)) +
         (confirmed.proves_faster() ? "PROVEN faster than K(0)\n" : "NOT proven faster than K(0)\n");
}

nlohmann::json checked_json(const CheckedCandidate& checked) {
  auto out = checked_json(checked.confirmed);
  if (checked.looked) out["looked"] = *checked.looked;
  return out;
}

std::string checked_text(const CheckedCandidate& checked) {
  auto out = checked_text(checked.confirmed);
  if (checked.looked)
    out += fmt::format("  at a look {:.2f}x as fast as K(0): for orientation, no claim\n", *checked.looked);
  return out;
}

}  // namespace hone::app
