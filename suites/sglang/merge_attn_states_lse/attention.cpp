#include "attention.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace {

State random_state(const Shape& shape, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> value(-1.0f, 1.0f), lse(-4.0f, 6.0f);
  State state;
  state.values.resize(shape.values());
  state.lse.resize(shape.rows());
  for (float& x : state.values) x = value(random);
  for (float& x : state.lse) x = lse(random);
  return state;
}

}  // namespace

void make_states(const Shape& shape, State& prefix, State& suffix) {
  prefix = random_state(shape, 101);
  suffix = random_state(shape, 202);
  for (std::size_t row = 0; row < shape.rows(); row++) {
    if (row % 29 == 5) prefix.lse[row] = -INFINITY;
    if (row % 31 == 30 && std::isfinite(prefix.lse[row])) suffix.lse[row] = -INFINITY;
  }
}

std::size_t count_wrong(const Shape& shape, const State& prefix, const State& suffix, const State& merged) {
  std::size_t wrong = 0;
  for (std::size_t row = 0; row < shape.rows(); row++) {
    const double p = prefix.lse[row], s = suffix.lse[row], top = std::max(p, s);
    const double p_weight = std::exp(p - top), s_weight = std::exp(s - top), sum = p_weight + s_weight;
    const double lse = top + std::log(sum);
    if (!(std::fabs(merged.lse[row] - lse) <= 4e-7 * (2.0 + std::fabs(lse)))) wrong++;
    for (int i = 0; i < shape.head_size; i++) {
      const std::size_t at = row * shape.head_size + i;
      const double expected = (prefix.values[at] * p_weight + suffix.values[at] * s_weight) / sum;
      if (!(std::fabs(merged.values[at] - expected) <= 2e-6)) wrong++;
    }
  }
  return wrong;
}
