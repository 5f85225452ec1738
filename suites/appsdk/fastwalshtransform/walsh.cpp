#include "walsh.hpp"

#include <random>

std::vector<float> make_values(std::size_t length) {
  std::size_t padded = 2;
  while (padded < length) padded *= 2;
  std::mt19937 random(31);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  std::vector<float> values(padded, 0.0f);
  for (std::size_t i = 0; i < length; i++) values[i] = uniform(random);
  return values;
}

std::vector<double> reference_walsh(const std::vector<float>& values) {
  // halves first: a different order of additions from the device's passes
  std::vector<double> out(values.begin(), values.end());
  for (std::size_t half = out.size() / 2; half > 0; half /= 2)
    for (std::size_t block = 0; block < out.size(); block += 2 * half)
      for (std::size_t i = block; i < block + half; i++) {
        const double a = out[i], b = out[i + half];
        out[i] = a + b;
        out[i + half] = a - b;
      }
  return out;
}
