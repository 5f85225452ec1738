#include "pricing.hpp"

#include <algorithm>
#include <cmath>
#include <random>

Options make_options(std::size_t count) {
  std::mt19937 random(2024);
  std::uniform_real_distribution<float> spot(5.0f, 30.0f), moneyness(0.5f, 1.5f), years(0.25f, 10.0f);
  Options made;
  for (std::size_t i = 0; i < count; i++) {
    made.spot.push_back(spot(random));
    made.strike.push_back(made.spot.back() * moneyness(random));
    made.years.push_back(years(random));
  }
  return made;
}

double reference_price(const Options& options, std::size_t which, const Market& market, int steps) {
  const double dt = static_cast<double>(options.years[which]) / steps;
  const double vsdt = static_cast<double>(market.volatility) * std::sqrt(dt);
  const double growth = std::exp(static_cast<double>(market.riskfree) * dt);
  const double up = std::exp(vsdt), down = 1.0 / up;
  const double p = (growth - down) / (up - down);
  std::vector<double> value(steps + 1);
  for (int i = 0; i <= steps; i++)
    value[i] = std::max(options.spot[which] * std::exp(vsdt * (2.0 * i - steps)) - options.strike[which], 0.0);
  for (int level = steps; level > 0; level--)
    for (int i = 0; i < level; i++) value[i] = (p * value[i + 1] + (1.0 - p) * value[i]) / growth;
  return value[0];
}
