#include "image.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

Weights gaussian_weights() {
  const float row[5] = {1, 4, 6, 4, 1};
  Weights weights{};
  for (int y = 0; y < 5; y++)
    for (int x = 0; x < 5; x++) weights[y * 5 + x] = row[y] * row[x] / 256.0f;
  return weights;
}

Image test_image(int width, int height) {
  Image image(width, height);
  unsigned state = 1;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      state = state * 1664525u + 1013904223u;
      const float noise = static_cast<float>(state >> 8) / 16777216.0f;
      const float distance = std::hypot(x - width / 2.0f, y - height / 2.0f);
      image.at(x, y) = 0.4f + 0.4f * std::sin(distance / 7.0f) + 0.2f * noise;
    }
  return image;
}

static double expected_pixel(const Image& input, const Weights& weights, int x, int y) {
  if (x < 2 || y < 2 || x >= input.width - 2 || y >= input.height - 2) return input.at(x, y);
  double sum = 0;
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++) sum += static_cast<double>(weights[(dy + 2) * 5 + dx + 2]) * input.at(x + dx, y + dy);
  return sum;
}

int count_differences(const Image& input, const Weights& weights, const Image& output) {
  int wrong = 0;
  for (int y = 0; y < input.height; y++)
    for (int x = 0; x < input.width; x++)
      wrong += !(std::fabs(expected_pixel(input, weights, x, y) - output.at(x, y)) <= 1e-5);
  return wrong;
}

bool save_pgm(const Image& image, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  file << "P5\n" << image.width << ' ' << image.height << "\n255\n";
  for (float pixel : image.pixels) file.put(static_cast<char>(std::clamp(pixel, 0.0f, 1.0f) * 255.0f + 0.5f));
  return static_cast<bool>(file);
}
