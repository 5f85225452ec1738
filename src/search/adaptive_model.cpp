// What the default strategy believes: which outcomes its Gaussian process is given, as which values, and when it is
// learned anew.

#include <algorithm>
#include <cmath>

#include "search/adaptive.hpp"

namespace hone::search {

namespace {

using Index = Eigen::Index;

constexpr std::size_t most_fitted = 80;
constexpr std::size_t most_modelled = 120;
constexpr double growth = 1.3;
/// Multiplications spent on learning the kernel; what is left of it waits for the next ask.
constexpr double work_for_each_ask = 8e6;
/// How much of the differences among slow points counts. Where measurements do not repeat, these are what tells the
/// parameters' effects: the fast points are too much alike.
constexpr double flattened_from = 0.75, flattened_slope = 0.1, slope_under_noise = 0.3;
/// Fewer failures than this, or so much of them explained by where they are, and they are taken for walls.
constexpr double few_failures = 3, predictable = 0.1;
constexpr double noisy_from = 1e-4;  // variance of log times: 1%

}  // namespace

bool Adaptive::is_noisy() const { return repeat_variance_ > noisy_from; }

double Adaptive::flattened(double log_time) const {
  const double slope = is_noisy() ? slope_under_noise : flattened_slope;
  return log_time <= quantile_ ? log_time : quantile_ + slope * (log_time - quantile_);
}

std::vector<std::size_t> Adaptive::ranked() const {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < history().size(); ++i) {
    if (history().record(i).measured()) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return history().record(a).mean_log() < history().record(b).mean_log();
  });
  return order;
}

void Adaptive::update_quantile() {
  std::vector<double> logs;
  for (std::size_t i = 0; i < history().size(); ++i) {
    if (history().record(i).measured()) logs.push_back(history().record(i).mean_log());
  }
  const auto at = logs.begin() + static_cast<std::ptrdiff_t>(flattened_from * static_cast<double>(logs.size() - 1));
  std::nth_element(logs.begin(), at, logs.end());
  quantile_ = *at;
}

Vector Adaptive::targets_of(const std::vector<std::size_t>& subset) const {
  Vector targets(static_cast<Index>(subset.size()));
  for (std::size_t k = 0; k < subset.size(); ++k) {
    const auto& record = history().record(subset[k]);
    double target = quantile_;
    if (record.measured()) {
      target = flattened(record.mean_log());
    } else if (record.failures == 0 && record.above) {
      target = flattened(std::max(std::log(*record.above), quantile_));
    } else if (const auto belief = believed_.find(subset[k]); belief != believed_.end()) {
      // A failure that its surroundings do not explain says nothing about times.
      target = record.failures > 0 && !accidents_ ? quantile_ : belief->second;
    }
    targets[static_cast<Index>(k)] = target;
  }
  return targets;
}

Vector Adaptive::repeats_of(const std::vector<std::size_t>& subset) const {
  Vector repeats(static_cast<Index>(subset.size()));
  for (std::size_t k = 0; k < subset.size(); ++k) {
    repeats[static_cast<Index>(k)] =
        static_cast<double>(std::max<std::size_t>(1, history().record(subset[k]).measurements));
  }
  return repeats;
}

/// Two thirds the best points, the rest drawn from all others: failures and slow ones hold the model down elsewhere.
std::vector<std::size_t> Adaptive::model_subset(std::size_t most, bool with_accidents) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < history().size(); ++i) {
    if (with_accidents || !accidents_ || history().record(i).failures == 0) all.push_back(i);
  }
  if (all.size() <= most) return all;
  std::vector<std::size_t> subset = ranked();
  subset.resize(std::min(subset.size(), most * 2 / 3));
  std::vector<bool> chosen(history().size(), false);
  for (const auto i : subset) chosen[i] = true;
  std::vector<std::size_t> rest;
  for (const auto i : all) {
    if (!chosen[i]) rest.push_back(i);
  }
  random().shuffle(rest);
  rest.resize(std::min(rest.size(), most - subset.size()));
  subset.insert(subset.end(), rest.begin(), rest.end());
  return subset;
}

void Adaptive::start_fit() {
  weigh_failures(model_subset(most_fitted, true));
  const auto subset = model_subset(most_fitted, false);
  Observations seen{embedded(subset), targets_of(subset), repeats_of(subset)};
  if (is_noisy()) seen.repeat_variance = repeat_variance_, seen.repeats_seen = repeats_seen_;
  fit_.emplace(std::move(seen), starts_, fitted_at_ == 0 ? 3 : 2);
  fitted_at_ = measured_;
}

Positions Adaptive::embedded(const std::vector<std::size_t>& subset) const {
  std::vector<Point> points;
  for (const auto i : subset) points.push_back(history().point(i));
  return features_.embed(points);
}

/// True when a new kernel was learned.
bool Adaptive::go_on_fitting() {
  if (!fit_ && static_cast<double>(measured_) >= growth * static_cast<double>(fitted_at_)) start_fit();
  if (!fit_ || !fit_->advance(work_for_each_ask)) return false;
  starts_ = fit_->kernels();
  kernel_ = fit_->best();
  fit_.reset();
  return true;
}

void Adaptive::renew_model() {
  renew_candidates();
  modelled_ = model_subset(most_modelled, false);
  considered_ = history().size();
  const Positions points = embedded(modelled_), candidates = features_.embed(candidates_);
  if (prior_) {
    trend_.at_candidates = prior_->mean(candidates);
    trend_.at_points = prior_->mean(points);
  }
  surrogate_ = Surrogate(kernel_, candidates, modelled_.size() + room);
  surrogate_.add_all(points, repeats_of(modelled_));
  modelled_incumbent_ = incumbent_;
  asks_since_renewal_ = 0;
}

/// Failures that can be predicted from the others are walls of the space; failures that cannot are accidents, which say
/// nothing about times and are left out of the model.
void Adaptive::weigh_failures(const std::vector<std::size_t>& subset) {
  Vector labels(static_cast<Index>(subset.size()));
  for (std::size_t k = 0; k < subset.size(); ++k) {
    labels[static_cast<Index>(k)] = history().record(subset[k]).failures > 0 ? 1 : 0;
  }
  accidents_ = labels.sum() >= few_failures && share_explained(kernel_, embedded(subset), labels) < predictable;
}

void Adaptive::add_new_points() {
  for (std::size_t i = considered_; i < history().size(); ++i) {
    if (accidents_ && history().record(i).failures > 0) continue;
    const Positions row = features_.embed({history().point(i)});
    surrogate_.add(row.row(0));
    modelled_.push_back(i);
    if (!prior_) continue;
    Vector extended(trend_.at_points.size() + 1);
    extended << trend_.at_points, prior_->mean(row);
    trend_.at_points = std::move(extended);
  }
  considered_ = history().size();
}

}  // namespace hone::search
