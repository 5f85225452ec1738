#include "search/strategy_base.hpp"

#include <cmath>

namespace hone::search {

namespace {

constexpr int sampling_tries = 64;
/// Regions up to this size are listed when sampling keeps hitting points already asked for.
constexpr std::size_t listable = 2'000'000;

}  // namespace

Record& History::operator[](const Point& point) {
  const auto [at, added] = index_.try_emplace(point, order_.size());
  if (added) {
    order_.push_back(point);
    records_.emplace_back();
  }
  return records_[at->second];
}

const Record* History::find(const Point& point) const {
  const auto found = index_.find(point);
  return found == index_.end() ? nullptr : &records_[found->second];
}

void History::note(const Point& point, const Outcome& outcome) {
  auto& record = (*this)[point];
  // A time that is no positive number is a failure, whatever it was called.
  const bool usable = std::isfinite(outcome.value) && outcome.value > 0;
  if (outcome.kind == Outcome::Kind::Failed || !usable) {
    ++record.failures;
  } else if (outcome.kind == Outcome::Kind::Censored) {
    record.above = std::max(record.above.value_or(outcome.value), outcome.value);
  } else {
    const double log = std::log(outcome.value);
    record.sum += log;
    record.sum_of_squares += log * log;
    ++record.measurements;
  }
}

std::optional<Point> History::best() const {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    if (!records_[i].measured()) continue;
    if (!best || records_[i].mean_log() < records_[*best].mean_log()) best = i;
  }
  if (!best) return std::nullopt;
  return order_[*best];
}

PointStrategy::PointStrategy(Region region, const StrategyOptions& options)
    : region_(std::move(region)), random_(options.seed) {}

std::optional<Configuration> PointStrategy::ask() {
  const auto point = choose();
  if (!point) return std::nullopt;
  ++history_[*point].asked;
  return region_.configuration(*point);
}

void PointStrategy::tell(const Configuration& configuration, const Outcome& outcome) {
  const auto point = region_.point(configuration);
  // Outcomes from outside the region say nothing about it.
  if (!point || !region_.contains(*point)) return;
  history_.note(*point, outcome);
  learn(*point, outcome);
}

std::optional<Configuration> PointStrategy::best() const {
  const auto point = history_.best();
  if (!point) return std::nullopt;
  return region_.configuration(*point);
}

bool PointStrategy::exhausted() const {
  return region_.exact() && static_cast<Count>(history_.size()) >= region_.count();
}

std::optional<Point> PointStrategy::fresh_sample() {
  if (exhausted()) return std::nullopt;
  for (int i = 0; rest_.empty() && i < sampling_tries; ++i) {
    auto point = region_.sample(random_);
    if (!point) return std::nullopt;
    if (!history_.known(*point)) return point;
  }
  if (rest_.empty()) {
    rest_ = region_.list(listable);
    random_.shuffle(rest_);
  }
  while (!rest_.empty()) {
    auto point = std::move(rest_.back());
    rest_.pop_back();
    if (!history_.known(point)) return point;
  }
  return std::nullopt;
}

}  // namespace hone::search
