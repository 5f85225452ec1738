#include "samples.hpp"

#include <cmath>
#include <cstddef>
#include <random>

std::vector<float> correlated_samples(int n, int m) {
  std::mt19937 engine(5);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  std::vector<float> weights(3 * m), means(m), samples(static_cast<std::size_t>(n) * m);
  for (float& weight : weights) weight = uniform(engine);
  for (float& mean : means) mean = 2.0f * uniform(engine);
  for (int i = 0; i < n; ++i) {
    const float hidden[3] = {uniform(engine), uniform(engine), uniform(engine)};
    for (int j = 0; j < m; ++j) {
      float value = means[j] + 0.5f * uniform(engine);
      for (int h = 0; h < 3; ++h) value += weights[3 * j + h] * hidden[h];
      samples[static_cast<std::size_t>(i) * m + j] = value;
    }
  }
  return samples;
}

long count_wrong(const std::vector<float>& samples, const std::vector<float>& covariance, int n, int m) {
  std::vector<double> mean(m, 0.0), expected(static_cast<std::size_t>(m) * m, 0.0), row(m);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) mean[j] += samples[static_cast<std::size_t>(i) * m + j] / static_cast<double>(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) row[j] = samples[static_cast<std::size_t>(i) * m + j] - mean[j];
    for (int j1 = 0; j1 < m; ++j1)
      for (int j2 = 0; j2 < m; ++j2) expected[static_cast<std::size_t>(j1) * m + j2] += row[j1] * row[j2] / (n - 1.0);
  }
  long wrong = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) wrong += !(std::fabs(expected[i] - covariance[i]) <= 2e-5);
  return wrong;
}
