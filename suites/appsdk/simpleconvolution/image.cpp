#include "image.hpp"

#include <cmath>
#include <random>

std::vector<float> make_image(unsigned width, unsigned height) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> noise(0.0f, 1.0f);
  std::vector<float> image;
  image.reserve(std::size_t{width} * height);
  for (unsigned y = 0; y < height; y++)
    for (unsigned x = 0; x < width; x++)
      image.push_back(0.5f + 0.5f * std::sin(0.02f * x) * std::cos(0.03f * y) + noise(random));
  return image;
}

std::vector<float> make_mask(unsigned side) {
  std::vector<float> mask;
  for (unsigned i = 0; i < side * side; i++)
    mask.push_back((1.0f + 0.37f * i) / (side * side) - (i % 3 == 1 ? 0.9f : 0.0f));
  return mask;
}

unsigned wrong_pixels(const std::vector<float>& got, const std::vector<float>& image, const std::vector<float>& mask,
                      unsigned width, unsigned height, unsigned side) {
  const int half = static_cast<int>(side / 2), w = static_cast<int>(width), h = static_cast<int>(height);
  unsigned wrong = 0;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      double sum = 0.0, size = 0.0;
      for (int dy = -half; dy <= half; dy++)
        for (int dx = -half; dx <= half; dx++) {
          if (x + dx < 0 || x + dx >= w || y + dy < 0 || y + dy >= h) continue;
          const double term = static_cast<double>(image[std::size_t(y + dy) * width + (x + dx)]) *
                              mask[std::size_t(dy + half) * side + (dx + half)];
          sum += term;
          size += std::fabs(term);
        }
      if (!(std::fabs(got[std::size_t(y) * width + x] - sum) <= 2e-7 * (side + 2) * size)) wrong++;
    }
  return wrong;
}
