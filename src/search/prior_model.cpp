#include "search/prior_model.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "search/kernel_fit.hpp"
#include "search/strategy_base.hpp"

namespace hone::search {

namespace {

constexpr std::size_t least = 5;
constexpr std::size_t most = 250;
constexpr std::size_t most_embedded = 80;
constexpr double flat_from = 0.75, flat_slope = 0.1;

struct Known {
  Point point;
  double log_time;
};

/// Measured points once each, best first; values above the quantile flattened, as the strategy does with its own.
std::vector<Known> known_points(const std::vector<Told>& told, const Region& region) {
  std::unordered_map<Point, Record, PointHash> records;
  for (const auto& each : told) {
    const auto point = region.point(each.configuration);
    if (!point || each.outcome.kind != Outcome::Kind::Measured || !(each.outcome.value > 0)) continue;
    auto& record = records[*point];
    record.sum += std::log(each.outcome.value);
    ++record.measurements;
  }
  std::vector<Known> known;
  for (const auto& [point, record] : records) known.push_back({point, record.mean_log()});
  std::sort(known.begin(), known.end(), [](const Known& a, const Known& b) {
    return a.log_time != b.log_time ? a.log_time < b.log_time : a.point < b.point;
  });
  if (known.empty()) return known;
  const double quantile = known[static_cast<std::size_t>(flat_from * static_cast<double>(known.size() - 1))].log_time;
  for (auto& each : known) {
    if (each.log_time > quantile) each.log_time = quantile + flat_slope * (each.log_time - quantile);
  }
  return known;
}

/// The best half of `most`, and the rest evenly spread over what remains.
std::vector<std::size_t> thinned(std::size_t size, std::size_t limit) {
  std::vector<std::size_t> kept;
  const std::size_t head = std::min(size, limit / 2);
  for (std::size_t i = 0; i < head; ++i) kept.push_back(i);
  const std::size_t rest = size - head, wanted = std::min(rest, limit - head);
  for (std::size_t i = 0; i < wanted; ++i) kept.push_back(head + i * rest / wanted);
  return kept;
}

}  // namespace

std::optional<PriorModel> PriorModel::of(const std::vector<Told>& told, const Region& region,
                                         const Features& features) {
  const auto known = known_points(told, region);
  if (known.size() < least || features.placed() == 0) return std::nullopt;
  PriorModel model;
  const auto embedded = [&](std::size_t limit, Vector& targets) {
    std::vector<Point> points;
    const auto kept = thinned(known.size(), limit);
    targets.resize(static_cast<Eigen::Index>(kept.size()));
    for (std::size_t i = 0; i < kept.size(); ++i) {
      points.push_back(known[kept[i]].point);
      targets[static_cast<Eigen::Index>(i)] = known[kept[i]].log_time;
    }
    return features.embed(points);
  };
  Vector targets;
  const Positions sample = embedded(most_embedded, targets);
  model.kernels_ = {Kernel::initial(features, Kernel::Family::Exponential),
                    Kernel::initial(features, Kernel::Family::Matern)};
  model.kernel_ = fit_kernel({sample, targets, Vector::Ones(targets.size())}, model.kernels_, 4);
  model.points_ = embedded(most, targets);
  const auto n = model.points_.rows();
  Matrix covariance(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    covariance.row(i) = model.kernel_.correlations(model.points_.row(i), model.points_).transpose();
    covariance(i, i) += model.kernel_.noise + 1e-8;
  }
  const Eigen::LLT<Matrix> factor(covariance);
  const Vector ones = factor.solve(Vector::Ones(n));
  model.center_ = ones.dot(targets) / ones.sum();
  model.weights_ = factor.solve(Vector(targets.array() - model.center_));
  for (const auto& each : known) model.best_first_.push_back(each.point);
  return model;
}

Vector PriorModel::mean(const Positions& points) const {
  Vector out = Vector::Zero(points.rows());
  for (Eigen::Index i = 0; i < points_.rows(); ++i) out += weights_[i] * kernel_.correlations(points_.row(i), points);
  return out;
}

}  // namespace hone::search
