#include "search/adaptive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace hone::search {

namespace {

using Index = Eigen::Index;

constexpr std::size_t first_points = 4;
constexpr std::size_t first_choices = 4000;
constexpr std::size_t most_fitted = 80;
constexpr std::size_t most_modelled = 120;
constexpr double growth = 1.3;
constexpr std::size_t room = 41;  // points added between renewals
constexpr std::size_t random_candidates = 1500;
constexpr std::size_t two_changes = 500;
constexpr std::size_t listed_whole = 2000;
/// Multiplications spent on learning the kernel; what is left of it waits for the next ask.
constexpr double work_for_each_ask = 8e6;
constexpr double flat_from = 0.75, flat_slope = 0.1;
/// When a repetition shows whether measurements repeat, and the spread from which they do not.
constexpr std::size_t noise_probe = 25;
/// Fewer failures than this, or so much of them explained by where they are, and they are taken for walls.
constexpr double few_failures = 3, predictable = 0.1;
constexpr double noisy_from = 1e-4;  // variance of log times: 1%

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
  if (exhausted()) return std::nullopt;
  ++asks_;
  auto point = decide();
  if (point) take(*point);
  return point;
}

/// A candidate that was asked for, or told about unasked, is none any more.
void Adaptive::take(const Point& point) {
  const auto found = candidate_index_.find(point);
  if (found != candidate_index_.end()) taken_[found->second] = true;
}

std::optional<Point> Adaptive::decide() {
  if (auto point = next_first_point()) return point;
  if (measured_ < 2) return far_from_failures();
  if (auto point = replicate()) return point;
  return most_promising();
}

// ---- before there is a model ----

void Adaptive::plan_first_points() {
  std::vector<Point> choices;
  if (region().exact() && region().count() <= static_cast<Count>(first_choices)) {
    choices = region().list(first_choices);
  } else {
    for (std::size_t i = 0; i < first_choices; ++i) {
      if (auto point = region().sample(random())) choices.push_back(std::move(*point));
    }
  }
  if (choices.empty()) return;
  random().shuffle(choices);  // ties go to a different point for each seed
  const auto central = std::min_element(choices.begin(), choices.end(), [&](const Point& a, const Point& b) {
    return features_.eccentricity(a) < features_.eccentricity(b);
  });
  if (prior_) {
    for (const auto& point : prior_->best_first()) {
      if (trusted_points_.size() == 3) break;
      if (region().contains(point)) trusted_points_.push_back(point);
    }
  }
  first_points_.push_back(*central);
  std::vector<double> nearest(choices.size(), std::numeric_limits<double>::infinity());
  while (first_points_.size() < std::min(first_points, choices.size())) {
    std::size_t farthest = 0;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      nearest[i] = std::min(nearest[i], features_.distance(choices[i], first_points_.back()));
      if (nearest[i] > nearest[farthest]) farthest = i;
    }
    first_points_.push_back(choices[farthest]);
  }
}

/// The centre, then points far apart. Earlier data puts its best point before them, and its others as long as they hold
/// what it promised: none of them may be worse than what the centre gave.
std::optional<Point> Adaptive::next_first_point() {
  if (first_points_.empty()) plan_first_points();
  while (next_trusted_ < trusted_points_.size() &&
         (next_trusted_ == 0 || (next_first_ > 0 && prior_keeps_its_word()))) {
    const auto& point = trusted_points_[next_trusted_++];
    if (!history().known(point)) return point;
  }
  const std::size_t wanted = next_trusted_ > 1 ? 1 : first_points_.size();
  while (next_first_ < wanted) {
    const auto& point = first_points_[next_first_++];
    if (!history().known(point)) return point;
  }
  return std::nullopt;
}

bool Adaptive::prior_keeps_its_word() const {
  const Record* central = history().find(first_points_.front());
  if (central == nullptr || central->asked > central->measurements + central->failures) return false;
  for (std::size_t i = 0; i < next_trusted_; ++i) {
    const Record* trusted = history().find(trusted_points_[i]);
    if (trusted == nullptr || !trusted->measured()) return false;
    if (central->measured() && trusted->mean_log() > central->mean_log()) return false;
  }
  return true;
}

/// Nothing or next to nothing was measured: look where no failure is near.
std::optional<Point> Adaptive::far_from_failures() {
  std::optional<Point> best;
  double best_distance = -1;
  for (int i = 0; i < 64; ++i) {
    auto point = fresh_sample();
    if (!point) break;
    double distance = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < history().size(); ++k) {
      distance = std::min(distance, features_.distance(*point, history().point(k)));
    }
    if (distance > best_distance) best = std::move(point), best_distance = distance;
  }
  return best;
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

// ---- the model ----

bool Adaptive::is_noisy() const { return repeat_variance_ > noisy_from; }

double Adaptive::flattened(double log_time) const {
  return log_time <= quantile_ ? log_time : quantile_ + flat_slope * (log_time - quantile_);
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
  const auto at = logs.begin() + static_cast<std::ptrdiff_t>(flat_from * static_cast<double>(logs.size() - 1));
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
  fit_.emplace(Observations{embedded(subset), targets_of(subset), repeats_of(subset)}, starts_,
               fitted_at_ == 0 ? 3 : 2);
  fitted_at_ = measured_;
}

Matrix Adaptive::embedded(const std::vector<std::size_t>& subset) const {
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
  const Matrix points = embedded(modelled_), candidates = features_.embed(candidates_);
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
    const Matrix row = features_.embed({history().point(i)});
    surrogate_.add(row.row(0));
    modelled_.push_back(i);
    if (!prior_) continue;
    Vector extended(trend_.at_points.size() + 1);
    extended << trend_.at_points, prior_->mean(row);
    trend_.at_points = std::move(extended);
  }
  considered_ = history().size();
}

void Adaptive::add_candidate(const Point& point) {
  if (history().known(point) || !candidate_index_.try_emplace(point, candidates_.size()).second) return;
  candidates_.push_back(point);
}

void Adaptive::renew_candidates() {
  candidates_.clear();
  candidate_index_.clear();
  if (region().exact() && region().count() <= static_cast<Count>(listed_whole)) {
    for (const auto& point : region().list(listed_whole)) add_candidate(point);
  } else {
    for (std::size_t i = 0; i < random_candidates; ++i) {
      if (const auto point = region().sample(random())) add_candidate(*point);
    }
    auto best = ranked();
    best.resize(std::min<std::size_t>(best.size(), 8));
    for (const auto i : best) {
      for (const auto& point : region().neighbours(history().point(i), false)) add_candidate(point);
    }
    const auto around = region().neighbours(history().point(*incumbent_), false);
    for (std::size_t i = 0; !around.empty() && i < two_changes; ++i) {
      Point point = around[random().below(around.size())];
      const auto parameter = features_.parameter(random().below(features_.dimensions()));
      point[parameter] = static_cast<std::uint16_t>(random().below(region().size_of(parameter)));
      if (region().contains(point)) add_candidate(point);
    }
  }
  taken_.assign(candidates_.size(), false);
  mark_local(*incumbent_);
}

void Adaptive::mark_local(std::size_t center) {
  local_.assign(candidates_.size(), false);
  for (const auto& point : region().neighbours(history().point(center), false)) {
    const auto found = candidate_index_.find(point);
    if (found != candidate_index_.end()) local_[found->second] = true;
  }
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
  // One lucky sample must not lead: under noise the centre of local moves is the best by the model.
  if (is_noisy()) mark_local(lead);
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
