#pragma once

#include <vector>

std::vector<float> noisy_image(int ni, int nj);

/// Elements of `out` that differ from the convolution in double precision, and border elements that are no longer NaN.
long count_wrong(const std::vector<float>& in, const std::vector<float>& out, int ni, int nj);
