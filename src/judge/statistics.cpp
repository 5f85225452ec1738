#include "judge/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace hone::judge {
namespace {

double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

Comparison::Call call_of(double low, double high, double margin) {
  if (low > 1 + margin) return Comparison::Call::Faster;
  if (high < 1 / (1 + margin)) return Comparison::Call::Slower;
  if (low >= 1 / (1 + margin) && high <= 1 + margin) return Comparison::Call::Same;
  return Comparison::Call::Unclear;
}

/// Medians of resamples, sorted.
std::vector<double> bootstrap(const std::vector<double>& values, std::size_t resamples, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> medians;
  std::vector<double> drawn(values.size());
  for (std::size_t r = 0; r < resamples; ++r) {
    for (auto& slot : drawn) slot = values[random() % values.size()];
    medians.push_back(median_of(drawn));
  }
  std::sort(medians.begin(), medians.end());
  return medians;
}

}  // namespace

Comparison compare_pairs(std::span<const Pair> pairs, const CompareOptions& options) {
  Comparison out;
  out.confidence = options.confidence;
  out.runs = pairs.size();
  if (pairs.empty()) return out;
  std::vector<double> logs;
  for (const auto& pair : pairs) logs.push_back(std::log(pair.incumbent.count() / pair.challenger.count()));
  const auto medians = bootstrap(logs, options.resamples, options.seed);
  const auto tail = static_cast<std::size_t>((1 - options.confidence) / 2 * static_cast<double>(medians.size()));
  out.ratio = std::exp(median_of(logs));
  out.low = std::exp(medians[tail]);
  out.high = std::exp(medians[medians.size() - 1 - tail]);
  out.call = call_of(out.low, out.high, options.margin);
  return out;
}

double drift_of(std::span<const Nanoseconds> samples) {
  const auto third = samples.size() / 3;
  if (third < 3) return 1;
  const auto first = median({samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(third)});
  const auto last = median({samples.end() - static_cast<std::ptrdiff_t>(third), samples.end()});
  const double ratio = first / last;
  return std::max(ratio, 1 / ratio);
}

Comparison combine(std::span<const Comparison> comparisons, double margin) {
  if (comparisons.size() == 1) return comparisons.front();
  Comparison out;
  if (comparisons.empty()) return out;
  double ratio = 0;
  double below = 0;
  double above = 0;
  bool slower = false;
  for (const auto& one : comparisons) {
    ratio += std::log(one.ratio);
    below += std::pow(std::log(one.ratio / one.low), 2);
    above += std::pow(std::log(one.high / one.ratio), 2);
    slower = slower || one.call == Comparison::Call::Slower;
    out.runs += one.runs;
  }
  const auto count = static_cast<double>(comparisons.size());
  out.confidence = comparisons.front().confidence;
  out.ratio = std::exp(ratio / count);
  out.low = std::exp((ratio - std::sqrt(below)) / count);
  out.high = std::exp((ratio + std::sqrt(above)) / count);
  out.call = call_of(out.low, out.high, margin);
  if (slower && out.call == Comparison::Call::Faster) out.call = Comparison::Call::Unclear;
  return out;
}

std::size_t Effort::next(std::size_t taken, const Comparison& so_far) const {
  if (taken == 0) return limits_.first;
  if (taken >= limits_.most || so_far.call != Comparison::Call::Unclear) return 0;
  return std::min(limits_.step, limits_.most - taken);
}

}  // namespace hone::judge
