#include "search/insight.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>

#include "search/kernel_fit.hpp"
#include "search/strategy_base.hpp"
#include "search/surrogate.hpp"

namespace hone::search {

namespace {

constexpr std::size_t fewest = 10, most_points = 200, most_sampled = 80, probes = 1500, most_interactions = 10;
constexpr std::size_t most_weighed = 200;
constexpr int draws = 500;
constexpr double worthwhile = 0.01;

struct Sample {
  std::vector<Point> points;
  Vector logs;
};

Sample sample_of(const History& history, std::size_t most) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (history.record(i).measured()) order.push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return history.record(a).mean_log() < history.record(b).mean_log(); });
  Sample sample;
  const std::size_t head = std::min(order.size(), most / 2), rest = order.size() - head;
  std::vector<std::size_t> kept(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(head));
  const std::size_t wanted = std::min(rest, most - head);
  for (std::size_t i = 0; i < wanted; ++i) kept.push_back(order[head + i * rest / wanted]);
  sample.logs.resize(static_cast<Eigen::Index>(kept.size()));
  for (std::size_t i = 0; i < kept.size(); ++i) {
    sample.points.push_back(history.point(kept[i]));
    sample.logs[static_cast<Eigen::Index>(i)] = history.record(kept[i]).mean_log();
  }
  return sample;
}

double variance(const Vector& values) { return (values.array() - values.mean()).square().mean(); }

/// Share of the variance of `values` that grouping the points by `key` explains.
template <class Key>
double explained(const std::vector<Point>& points, const Vector& values, Key key) {
  std::map<std::uint64_t, std::pair<double, double>> groups;
  for (std::size_t i = 0; i < points.size(); ++i) {
    auto& [sum, count] = groups[key(points[i])];
    sum += values[static_cast<Eigen::Index>(i)];
    count += 1;
  }
  const double mean = values.mean(), total = variance(values);
  double between = 0;
  for (const auto& [id, group] : groups) {
    const double off = group.first / group.second - mean;
    between += off * off * group.second;
  }
  return total > 0 ? between / static_cast<double>(points.size()) / total : 0;
}

/// Importance on the model's mean at points spread over the region: what was measured is bunched around the best.
void explain(Insight& insight, const Space& space, const std::vector<Point>& points, const Vector& values) {
  std::map<std::size_t, double> alone;
  for (std::size_t p = 0; p < space.parameters.size(); ++p) {
    if (space.parameters[p].values.size() < 2) continue;
    alone[p] = explained(points, values, [p](const Point& point) { return std::uint64_t{point[p]}; });
    insight.importance.push_back({space.parameters[p].name, alone[p]});
  }
  for (const auto& [a, of_a] : alone) {
    for (const auto& [b, of_b] : alone) {
      const std::size_t cells = space.parameters[a].values.size() * space.parameters[b].values.size();
      if (a >= b || cells * 8 > points.size()) continue;  // too few points in each cell to tell
      const auto both = explained(
          points, values, [a = a, b = b](const Point& point) { return (std::uint64_t{point[a]} << 32U) | point[b]; });
      const double chance = static_cast<double>(cells) / static_cast<double>(points.size());
      const double share = both - of_a - of_b - chance;
      if (share > 0) insight.interactions.push_back({space.parameters[a].name, space.parameters[b].name, share});
    }
  }
  const auto larger = [](const auto& x, const auto& y) { return x.share > y.share; };
  std::stable_sort(insight.importance.begin(), insight.importance.end(), larger);
  std::stable_sort(insight.interactions.begin(), insight.interactions.end(), larger);
  if (insight.interactions.size() > most_interactions) insight.interactions.resize(most_interactions);
}

/// The untried points most likely to be better, the likeliest first.
std::vector<Eigen::Index> most_likely(const Surrogate::Prediction& prediction, const std::vector<bool>& untried,
                                      double target) {
  std::vector<Eigen::Index> order;
  for (Eigen::Index i = 0; i < prediction.mean.size(); ++i) {
    if (untried[static_cast<std::size_t>(i)]) order.push_back(i);
  }
  const Vector z = (target - prediction.mean.array()) / prediction.deviation.array();
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return z[a] > z[b]; });
  if (order.size() > most_weighed) order.resize(most_weighed);
  return order;
}

/// Draws of what the times could still be, all points together: neighbours rise and fall with each other, so that a
/// thousand slightly likely ones do not add up to certainty.
void look_ahead(Insight& insight, const Surrogate& surrogate, const Surrogate::Prediction& prediction,
                const std::vector<bool>& untried, Random& random) {
  const double best = prediction.fitted.minCoeff();
  const auto weighed = most_likely(prediction, untried, best + std::log1p(-worthwhile));
  if (weighed.empty()) return;
  const Eigen::SelfAdjointEigenSolver<Matrix> open(surrogate.left_open(weighed));
  const Matrix spread =
      prediction.scale * open.eigenvectors() * open.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
  const Vector mean = prediction.mean(weighed);
  for (int draw = 0; draw < draws; ++draw) {
    const Vector normal = Vector::NullaryExpr(mean.size(), [&] { return random.normal(); });
    const double gain = 1 - std::exp(std::min(0.0, (mean + spread * normal).minCoeff() - best));
    insight.probability_of_better += gain >= worthwhile ? 1.0 / draws : 0;
    insight.expected_gain += gain / draws;
  }
}

/// All points of a small region, else as many drawn from it.
std::vector<Point> spread_over(const Region& region, Random& random) {
  if (region.exact() && region.count() <= static_cast<Count>(probes)) return region.list(probes);
  std::vector<Point> out;
  for (std::size_t i = 0; i < probes; ++i) {
    if (auto point = region.sample(random)) out.push_back(std::move(*point));
  }
  return out;
}

}  // namespace

Result<Insight> insight_of(const Space& space, const std::vector<Told>& told, const Expression::Environment& known) {
  auto region = Region::build(space, known);
  if (!region) return fail(region.error());
  return insight_of(*region, told);
}

Insight insight_of(const Region& region, const std::vector<Told>& told) {
  Insight insight;
  History history;
  std::size_t evaluation = 0;
  for (const auto& each : told) {
    const auto point = region.point(each.configuration);
    if (!point) continue;
    history.note(*point, each.outcome);
    ++evaluation;
    insight.failed += each.outcome.kind == Outcome::Kind::Failed ? 1 : 0;
    insight.censored += each.outcome.kind == Outcome::Kind::Censored ? 1 : 0;
    if (each.outcome.kind != Outcome::Kind::Measured) continue;
    ++insight.measured;
    if (insight.convergence.empty() || each.outcome.value < insight.convergence.back().value) {
      insight.convergence.push_back({evaluation, each.outcome.value});
    }
  }
  const Features features(region.space());
  const auto sample = sample_of(history, most_points);
  if (sample.points.size() < fewest || features.placed() == 0) return insight;
  Random random(1);
  const auto spread = spread_over(region, random);
  std::vector<Point> candidates = spread;
  for (const auto& point : region.neighbours(sample.points.front(), false)) candidates.push_back(point);
  std::vector<bool> untried;
  for (const auto& point : candidates) untried.push_back(!history.known(point));
  const auto fitted = sample_of(history, most_sampled);
  std::vector<Kernel> starts = {Kernel::initial(features, Kernel::Family::Exponential),
                                Kernel::initial(features, Kernel::Family::Matern)};
  const auto kernel =
      fit_kernel({features.embed(fitted.points), fitted.logs, Vector::Ones(fitted.logs.size())}, starts, 4);
  Surrogate surrogate(kernel, features.embed(candidates), sample.points.size());
  surrogate.add_all(features.embed(sample.points), Vector::Ones(sample.logs.size()));
  const auto prediction = surrogate.predict(sample.logs);
  explain(insight, region.space(), spread, prediction.mean.head(static_cast<Eigen::Index>(spread.size())));
  look_ahead(insight, surrogate, prediction, untried, random);
  return insight;
}

}  // namespace hone::search
