#include "search/adaptive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hone::search {

namespace {

using Index = Eigen::Index;

/// When a repetition shows whether measurements repeat.
constexpr std::size_t noise_probe = 10;

/// Asks without a new lead after which local moves leave its valley in turn: what is left there is little.
constexpr std::size_t patience = 16;

/// log of the expected improvement below `best`, stable far into the tail. What one more evaluation can teach is
/// bounded by what the model takes for noise: without that share it would go on forever among neighbours that are
/// equally good.
double log_improvement(double mean, double deviation, double best, double noise) {
  const double learned = std::log(1 - noise / std::hypot(noise, deviation));
  const double z = (best - mean) / deviation;
  constexpr double log_root_2pi = 0.9189385332046727;
  if (z > -5) {
    const double density = std::exp(-0.5 * z * z - log_root_2pi);
    const double below = 0.5 * std::erfc(-z * M_SQRT1_2);
    return learned + std::log(deviation) + std::log(std::max(density + z * below, 1e-300));
  }
  return learned + std::log(deviation) - 0.5 * z * z - log_root_2pi - 2 * std::log(-z);
}

}  // namespace

Adaptive::Adaptive(Region region, const StrategyOptions& options)
    : PointStrategy(std::move(region), options), features_(this->region().space()) {
  prior_ = PriorModel::of(options.prior, this->region(), features_);
  kernel_ = Kernel::initial(features_, Kernel::Family::Exponential);
  starts_ = prior_ ? prior_->kernels()
                   : std::vector<Kernel>{Kernel::initial(features_, Kernel::Family::Exponential),
                                         Kernel::initial(features_, Kernel::Family::Matern)};
}

void Adaptive::learn(const Point& point, const Outcome&) {
  take(point);
  // What was expected of a failure is kept: it stands for the time that was not measured.
  if (history().find(point)->failures == 0) believed_.erase(history().index(point));
  measured_ = 0;
  incumbent_.reset();
  repeat_variance_ = 0;
  repeats_seen_ = 0;
  double variance = 0;
  for (std::size_t i = 0; i < history().size(); ++i) {
    const auto& record = history().record(i);
    if (!record.measured()) continue;
    ++measured_;
    if (!incumbent_ || record.mean_log() < history().record(*incumbent_).mean_log()) incumbent_ = i;
    if (record.measurements < 2) continue;
    const auto m = static_cast<double>(record.measurements);
    variance += record.sum_of_squares - m * record.mean_log() * record.mean_log();
    repeats_seen_ += record.measurements - 1;
  }
  if (repeats_seen_ > 0) repeat_variance_ = variance / static_cast<double>(repeats_seen_);
}

std::optional<Point> Adaptive::choose() {
  expected_gain_.reset();
  if (exhausted()) return std::nullopt;
  ++asks_;
  auto point = decide();
  if (point) take(*point);
  return point;
}

std::optional<Point> Adaptive::decide() {
  if (auto point = next_first_point()) return point;
  if (measured_ < 2) return far_from_failures();
  if (auto point = replicate()) return point;
  return most_promising();
}

/// Whether measurements repeat is found out once; where they do not, a new best point is measured again before it
/// leads.
std::optional<Point> Adaptive::replicate() {
  if (!incumbent_) return std::nullopt;
  const auto& record = history().record(*incumbent_);
  if (record.asked > record.measurements) return std::nullopt;  // an answer is still to come
  const bool probe = asks_ == noise_probe || asks_ == 2 * noise_probe;
  const bool confirm = is_noisy() && record.measurements < 3 && asks_ >= replicated_at_ + 5;
  if (!probe && !confirm) return std::nullopt;
  replicated_at_ = asks_;
  return history().point(*incumbent_);
}

/// One lucky sample must not lead: under noise the centre of local moves is the best by the model. Once that has led
/// for long, it takes turns with the other valleys.
std::size_t Adaptive::local_center(std::size_t lead) {
  if (lead != lead_) lead_ = lead, lead_since_ = asks_;
  if (asks_ - lead_since_ < patience) return is_noisy() ? lead : *incumbent_;
  const auto centers = valleys();
  return centers[asks_ / 2 % centers.size()];
}

std::optional<Point> Adaptive::most_promising() {
  update_quantile();
  const bool refit = go_on_fitting();
  const std::size_t missing = history().size() - considered_;
  const bool full = surrogate_.size() + missing > surrogate_.capacity();
  if (refit || full || incumbent_ != modelled_incumbent_ || ++asks_since_renewal_ >= room - 1) {
    renew_model();
  } else {
    add_new_points();
  }
  if (candidates_.empty()) return fresh_sample();
  const Vector targets = targets_of(modelled_);
  const auto prediction = surrogate_.predict(targets, prior_ ? &trend_ : nullptr);
  double best = std::numeric_limits<double>::infinity();
  std::size_t lead = *incumbent_;
  for (std::size_t k = 0; k < modelled_.size(); ++k) {
    const double fitted = prediction.fitted[static_cast<Index>(k)];
    if (!history().record(modelled_[k]).measured() || fitted >= best) continue;
    best = fitted;
    lead = modelled_[k];
  }
  mark_local(local_center(lead));
  const double noise = prediction.scale * std::sqrt(kernel_.noise);
  const bool only_local = asks_ % 2 == 0;
  std::optional<std::size_t> chosen, chosen_local;
  double highest = 0, highest_local = 0;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (taken_[i]) continue;
    const auto at = static_cast<Index>(i);
    const double value = log_improvement(prediction.mean[at], prediction.deviation[at], best, noise);
    if (!chosen || value > highest) chosen = i, highest = value;
    if (local_[i] && (!chosen_local || value > highest_local)) chosen_local = i, highest_local = value;
  }
  if (chosen) expected_gain_ = std::exp(highest);  // a difference of logs is a share
  if (only_local && chosen_local) chosen = chosen_local;
  if (!chosen) return fresh_sample();
  believed_[history().size()] = prediction.mean[static_cast<Index>(*chosen)];
  return candidates_[*chosen];
}

std::optional<Configuration> Adaptive::best() const {
  if (!is_noisy() || surrogate_.size() == 0) return PointStrategy::best();
  const auto prediction = surrogate_.predict(targets_of(modelled_), prior_ ? &trend_ : nullptr);
  std::optional<std::size_t> best;
  double lowest = 0;
  for (std::size_t k = 0; k < modelled_.size(); ++k) {
    if (!history().record(modelled_[k]).measured()) continue;
    const double fitted = prediction.fitted[static_cast<Index>(k)];
    if (!best || fitted < lowest) best = modelled_[k], lowest = fitted;
  }
  if (!best) return PointStrategy::best();
  return region().configuration(history().point(*best));
}

}  // namespace hone::search
