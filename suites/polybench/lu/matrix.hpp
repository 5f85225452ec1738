#pragma once

#include <vector>

/// A square matrix that can be eliminated without pivoting: random, with a diagonal that is larger than what elimination takes off it.
std::vector<float> dominant_matrix(int n, unsigned seed);

/// How many elements of `lu` differ from the elimination of `a` in double precision.
long count_wrong(const std::vector<float>& a, const std::vector<float>& lu, int n);
