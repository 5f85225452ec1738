#include "search/features.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "core/arithmetic.hpp"

namespace hone::search {

namespace {

/// Ratio of largest to smallest value from which a parameter is taken as a scale.
constexpr double scale_ratio = 4;
/// Beyond multiples of 64 it hardly matters how often 2 divides a value.
constexpr double most_twos = 6;

void rescale(std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double first = *low, width = *high - first;
  for (auto& value : values) value = (value - first) / width;
}

std::vector<double> numbers_of(const Parameter& parameter) {
  std::vector<double> numbers;
  for (const auto& value : parameter.values) {
    const auto number = as_real(value);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

/// How often 2 divides each value, where the values' order does not tell it: multiples of a power of two are often
/// alike whatever lies between them. Empty where it tells nothing.
std::vector<double> alignments_of(const Parameter& parameter) {
  std::vector<double> twos;
  for (const auto& value : parameter.values) {
    const auto number = as_real(value);
    if (!number || *number < 1 || *number != std::floor(*number)) return {};
    double two = 0;
    for (double rest = *number; std::fmod(rest, 2) == 0 && two < most_twos; rest /= 2) ++two;
    twos.push_back(two);
  }
  if (std::is_sorted(twos.begin(), twos.end()) || std::is_sorted(twos.rbegin(), twos.rend())) return {};
  rescale(twos);
  return twos;
}

}  // namespace

Features::Features(const Space& space) {
  std::vector<Dimension> placed, alignments;
  for (std::size_t i = 0; i < space.parameters.size(); ++i) {
    const auto& parameter = space.parameters[i];
    if (parameter.values.size() < 2) continue;
    auto numbers = numbers_of(parameter);
    const bool rising = std::is_sorted(numbers.begin(), numbers.end(), std::less_equal<>());
    const bool falling = std::is_sorted(numbers.rbegin(), numbers.rend(), std::less_equal<>());
    const bool textual = numbers.empty();
    if (textual || (!rising && !falling)) {
      numbers.resize(parameter.values.size());
      std::iota(numbers.begin(), numbers.end(), 0.0);
    } else {
      const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
      if (*low > 0 && *high / *low >= scale_ratio) {
        for (auto& number : numbers) number = std::log2(number);
      }
    }
    rescale(numbers);
    const std::size_t column = parameters_.size();
    auto alignment = alignments_of(parameter);
    if (!alignment.empty()) alignments.push_back({column, std::move(alignment)});
    const bool categorical = textual && numbers.size() > 2;
    placed.push_back({column, std::move(numbers), categorical});
    parameters_.push_back(i);
  }
  std::move(alignments.begin(), alignments.end(), std::back_inserter(placed));
  dimensions_ = std::make_shared<const std::vector<Dimension>>(std::move(placed));
}

Positions Features::embed(const std::vector<Point>& points) const {
  Positions out(static_cast<Eigen::Index>(points.size()), static_cast<Eigen::Index>(placed()));
  for (std::size_t column = 0; column < placed(); ++column) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(column)) = points[i][parameters_[column]];
    }
  }
  return out;
}

double Features::eccentricity(const Point& point) const {
  double sum = 0;
  for (std::size_t d = 0; d < placed(); ++d) {
    const double off = dimensions()[d].categorical ? 0 : coordinate(point, d) - 0.5;
    sum += off * off;
  }
  return sum;
}

double Features::distance(const Point& a, const Point& b) const {
  double sum = 0;
  for (std::size_t d = 0; d < placed(); ++d) {
    const double off = coordinate(a, d) - coordinate(b, d);
    sum += dimensions()[d].categorical ? (off != 0 ? 1 : 0) : off * off;
  }
  return std::sqrt(sum);
}

}  // namespace hone::search
