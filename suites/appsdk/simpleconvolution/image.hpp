#pragma once

#include <vector>

/// Slow waves with noise on top, values in [0, 2].
std::vector<float> make_image(unsigned width, unsigned height);

/// A skewed mask, no two weights alike: a mirrored or shifted one gives other pictures.
std::vector<float> make_mask(unsigned side);

/// How many pixels of `got` are not those that double precision gives.
unsigned wrong_pixels(const std::vector<float>& got, const std::vector<float>& image, const std::vector<float>& mask,
                      unsigned width, unsigned height, unsigned side);
