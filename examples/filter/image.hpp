#pragma once

#include <array>
#include <string>
#include <vector>

// A grey image of floats between 0 and 1, row by row.
struct Image {
  int width = 0, height = 0;
  std::vector<float> pixels;

  Image(int width, int height) : width(width), height(height), pixels(static_cast<size_t>(width) * height) {}
  float& at(int x, int y) { return pixels[static_cast<size_t>(y) * width + x]; }
  float at(int x, int y) const { return pixels[static_cast<size_t>(y) * width + x]; }
};

// 5 x 5 weights, row by row, summing to one.
using Weights = std::array<float, 25>;
Weights gaussian_weights();

// Rings and a little noise: something to see when it is saved.
Image test_image(int width, int height);

// The same filter on the host, in double precision; returns the number of pixels that differ.
int count_differences(const Image& input, const Weights& weights, const Image& output);

// A binary PGM file; false when it cannot be written.
bool save_pgm(const Image& image, const std::string& path);
