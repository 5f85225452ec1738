#include "judge/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace hone::judge {
namespace {

/// Pairs that a resampling can be made of.
constexpr std::size_t kEnough = 12;

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

/// The size below which a tenth of the values lie.
double low_of(std::vector<double> values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 10);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// Which of one side's visits took hardly longer than its best ones.
std::vector<bool> calm_visits(std::span<const Pair> pairs, Nanoseconds Pair::* side) {
  constexpr double kDisturbed = 1.25;
  std::vector<double> times;
  for (const auto& pair : pairs) times.push_back((pair.*side).count());
  const double limit = kDisturbed * low_of(times);
  std::vector<bool> calm;
  for (const double time : times) calm.push_back(time <= limit);
  return calm;
}

}  // namespace

std::vector<Pair> undisturbed(std::span<const Pair> pairs) {
  std::vector<Pair> all(pairs.begin(), pairs.end());
  if (pairs.size() < kEnough) return all;
  const auto incumbent = calm_visits(pairs, &Pair::incumbent);
  const auto challenger = calm_visits(pairs, &Pair::challenger);
  const auto slow = [&](const std::vector<bool>& calm) { return std::count(calm.begin(), calm.end(), false); };
  // The machine disturbs both alike; what is slow more often than chance allows is so by itself.
  const double chance = 3 * std::sqrt(0.5 * static_cast<double>(pairs.size()));
  if (std::abs(static_cast<double>(slow(incumbent) - slow(challenger))) > chance) return all;
  std::vector<Pair> kept;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (incumbent[i] && challenger[i]) kept.push_back(pairs[i]);
  return kept.size() < std::max(kEnough, pairs.size() / 4) ? all : kept;
}

Comparison compare_pairs(std::span<const Pair> pairs, const CompareOptions& options) {
  Comparison out;
  out.confidence = options.confidence;
  out.pairs = pairs.size();
  if (pairs.empty()) return out;
  std::vector<double> logs;
  std::vector<double> levels;
  for (const auto& pair : undisturbed(pairs)) {
    logs.push_back(std::log(pair.incumbent.count() / pair.challenger.count()));
    levels.push_back(std::log(pair.incumbent.count() * pair.challenger.count()) / 2);
  }
  out.ratio = std::exp(median_of(logs));
  if (logs.size() < kEnough) {
    // That all pairs lie on one side of the true median has the chance of so many equal throws of a coin.
    const auto [low, high] = std::ranges::minmax(logs);
    out.low = std::exp(low);
    out.high = std::exp(high);
    out.confidence = std::min(options.confidence, 1 - std::pow(0.5, static_cast<double>(logs.size()) - 1));
  } else {
    const auto medians = bootstrap(logs, options.resamples, options.seed);
    const auto tail = static_cast<std::size_t>((1 - options.confidence) / 2 * static_cast<double>(medians.size()));
    out.low = std::exp(medians[tail]);
    out.high = std::exp(medians[medians.size() - 1 - tail]);
  }
  out.call = call_of(out.low, out.high, options.margin);
  // The middle of the same pairs, parted by the ratio: whoever divides these gets that.
  const double level = std::exp(median_of(levels));
  out.incumbent = Nanoseconds(level * std::sqrt(out.ratio));
  out.challenger = Nanoseconds(level / std::sqrt(out.ratio));
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
  bool busy = false;
  out.confidence = 1;
  for (const auto& one : comparisons) {
    ratio += std::log(one.ratio);
    below += std::pow(std::log(one.ratio / one.low), 2);
    above += std::pow(std::log(one.high / one.ratio), 2);
    slower = slower || one.call == Comparison::Call::Slower;
    busy = busy || one.call == Comparison::Call::Busy;
    out.confidence = std::min(out.confidence, one.confidence);
    out.pairs += one.pairs;
  }
  const auto count = static_cast<double>(comparisons.size());
  out.ratio = std::exp(ratio / count);
  out.low = std::exp((ratio - std::sqrt(below)) / count);
  out.high = std::exp((ratio + std::sqrt(above)) / count);
  out.call = call_of(out.low, out.high, margin);
  if (slower && out.call == Comparison::Call::Faster) out.call = Comparison::Call::Unclear;
  if (busy) out.call = Comparison::Call::Busy;
  return out;
}

Comparison agreed(const Comparison& first, const Comparison& second) {
  Comparison out = first;
  out.ratio = std::sqrt(first.ratio * second.ratio);
  out.low = std::min(first.low, second.low);
  out.high = std::max(first.high, second.high);
  out.pairs = first.pairs + second.pairs;
  out.incumbent = Nanoseconds(std::sqrt(first.incumbent.count() * second.incumbent.count()));
  out.challenger = Nanoseconds(std::sqrt(first.challenger.count() * second.challenger.count()));
  out.confidence = std::min(first.confidence, second.confidence);
  if (first.call != second.call) out.call = Comparison::Call::Unclear;
  if (first.call == Comparison::Call::Busy || second.call == Comparison::Call::Busy) out.call = Comparison::Call::Busy;
  return out;
}

bool is_far(const Comparison& comparison, double factor) {
  const bool called = comparison.call == Comparison::Call::Faster || comparison.call == Comparison::Call::Slower;
  return called && (comparison.low > factor || comparison.high < 1 / factor);
}

bool is_rough(const Comparison& comparison, double within) {
  const bool called = comparison.call == Comparison::Call::Faster || comparison.call == Comparison::Call::Slower;
  return called && within > 0 && comparison.high > within * comparison.low;
}

std::size_t Effort::next(std::size_t taken, const Comparison& so_far) const {
  if (taken == 0) return std::min(limits_.few, limits_.first);
  if (taken < limits_.first) return is_far(so_far, limits_.far) ? 0 : limits_.first - taken;
  const bool busy = so_far.call == Comparison::Call::Busy && taken < 2 * limits_.first;
  if (taken >= limits_.most || (so_far.call != Comparison::Call::Unclear && !busy)) return 0;
  return std::min(limits_.step, limits_.most - taken);
}

}  // namespace hone::judge
