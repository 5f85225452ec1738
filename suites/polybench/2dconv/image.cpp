#include "image.hpp"

#include <cmath>
#include <cstddef>
#include <random>

std::vector<float> noisy_image(int ni, int nj) {
  std::minstd_rand engine(7);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  std::vector<float> image(static_cast<std::size_t>(ni) * nj);
  for (float& pixel : image) pixel = uniform(engine);
  return image;
}

long count_wrong(const std::vector<float>& in, const std::vector<float>& out, int ni, int nj) {
  static constexpr float weights[3][3] = {{0.2f, -0.3f, 0.4f}, {0.5f, 0.6f, 0.7f}, {-0.8f, -0.9f, 0.1f}};
  long wrong = 0;
  for (int i = 0; i < ni; ++i)
    for (int j = 0; j < nj; ++j) {
      const float found = out[static_cast<std::size_t>(i) * nj + j];
      if (i == 0 || j == 0 || i == ni - 1 || j == nj - 1) {
        wrong += !std::isnan(found);
        continue;
      }
      double expected = 0;
      for (int di = -1; di <= 1; ++di)
        for (int dj = -1; dj <= 1; ++dj)
          expected += static_cast<double>(weights[di + 1][dj + 1]) * in[static_cast<std::size_t>(i + di) * nj + j + dj];
      wrong += !(std::fabs(expected - found) <= 1e-5);
    }
  return wrong;
}
