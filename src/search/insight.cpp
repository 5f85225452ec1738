#include "search/insight.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "search/kernel_fit.hpp"
#include "search/strategy_base.hpp"
#include "search/surrogate.hpp"

namespace hone::search {

namespace {

constexpr std::size_t fewest = 10, most_points = 200, most_sampled = 80, probes = 1500, most_interactions = 10;
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

/// Points are treated as independent, which overstates the chance a little: a cautious answer to "may I stop?".
void look_ahead(Insight& insight, const Surrogate::Prediction& prediction, double best, double untried) {
  double log_none = 0, gain = 0;
  const auto n = prediction.mean.size();
  for (Eigen::Index i = 0; i < n; ++i) {
    const double deviation = prediction.deviation[i];
    const double z = (best - worthwhile - prediction.mean[i]) / deviation;
    const double p = 0.5 * std::erfc(-z * M_SQRT1_2);
    log_none += std::log1p(-std::min(p, 1 - 1e-12));
    const double z0 = (best - prediction.mean[i]) / deviation;
    const double improvement =
        deviation * (z0 * 0.5 * std::erfc(-z0 * M_SQRT1_2) + std::exp(-0.5 * z0 * z0) / std::sqrt(2 * M_PI));
    gain = std::max(gain, improvement);
  }
  const double share = n > 0 ? untried / static_cast<double>(n) : 0;
  insight.probability_of_better = 1 - std::exp(log_none * std::clamp(share, 0.0, 1.0));
  insight.expected_gain = 1 - std::exp(-gain);
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
  if (sample.points.size() < fewest || features.dimensions() == 0) return insight;
  Random random(1);
  std::vector<Point> spread;
  for (std::size_t i = 0; i < probes; ++i) {
    if (auto point = region.sample(random)) spread.push_back(std::move(*point));
  }
  const auto fitted = sample_of(history, most_sampled);
  std::vector<Kernel> starts = {Kernel::initial(features, Kernel::Family::Exponential),
                                Kernel::initial(features, Kernel::Family::Matern)};
  const auto kernel =
      fit_kernel({features.embed(fitted.points), fitted.logs, Vector::Ones(fitted.logs.size())}, starts, 4);
  Surrogate surrogate(kernel, features.embed(spread), sample.points.size());
  surrogate.add_all(features.embed(sample.points), Vector::Ones(sample.logs.size()));
  const auto prediction = surrogate.predict(sample.logs);
  explain(insight, region.space(), spread, prediction.mean);
  look_ahead(insight, prediction, sample.logs.minCoeff(),
             static_cast<double>(region.count()) - static_cast<double>(history.size()));
  return insight;
}

}  // namespace hone::search
