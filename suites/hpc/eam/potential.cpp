#include "potential.hpp"

#include <cmath>

namespace {

constexpr double nearest_distance = 2.556;
constexpr double most_density = 40.0;

/// height * exp(-steepness (r / r0 - 1)), brought smoothly to zero at the cutoff.
ValueAndSlope damped(double r, double height, double steepness, double cutoff) {
  if (r >= cutoff) return {0.0, 0.0};
  const double decay = height * std::exp(-steepness * (r / nearest_distance - 1.0));
  const double decay_slope = -steepness / nearest_distance * decay;
  const double rest = 1.0 - r * r / (cutoff * cutoff);
  const double rest_slope = -2.0 * r / (cutoff * cutoff);
  return {decay * rest * rest, decay_slope * rest * rest + 2.0 * decay * rest * rest_slope};
}

std::array<float, 2> entry(const ValueAndSlope& v) {
  return {static_cast<float>(v.value), static_cast<float>(v.slope)};
}

}  // namespace

ValueAndSlope Potential::density(double r) const { return damped(r, 1.6, 5.0, cutoff); }

ValueAndSlope Potential::pair(double r) const { return damped(r, 0.8, 8.5, cutoff); }

ValueAndSlope Potential::embedding(double rho) const {
  // minus a square root, with a start that has no infinite slope
  const double root = std::sqrt(rho + 0.5);
  return {-1.1 * root, -0.55 / root};
}

Tables tabulate(const Potential& potential) {
  Tables tables;
  tables.entries_per_r = static_cast<float>((tables.entries - 1) / potential.cutoff);
  tables.entries_per_rho = static_cast<float>((tables.entries - 1) / most_density);
  for (int i = 0; i < tables.entries; i++) {
    const double r = i / static_cast<double>(tables.entries_per_r);
    tables.density.push_back(entry(potential.density(r)));
    tables.pair.push_back(entry(potential.pair(r)));
    tables.embedding.push_back(entry(potential.embedding(i / static_cast<double>(tables.entries_per_rho))));
  }
  return tables;
}
