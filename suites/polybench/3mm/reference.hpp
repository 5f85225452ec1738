#pragma once

#include <vector>

#include "options.hpp"

using Matrix = std::vector<float>;

/// The number of elements of `out` that differ from (A B) (C D) in double precision.
long count_wrong(const Sizes& s, const Matrix& a, const Matrix& b, const Matrix& c, const Matrix& d, const Matrix& out);
