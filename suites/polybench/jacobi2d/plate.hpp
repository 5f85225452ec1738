#pragma once

#include <vector>

std::vector<float> random_plate(int n, unsigned seed);

/// Cells of `end` that differ from `start` after `steps` steps in double precision.
long count_wrong(const std::vector<float>& start, const std::vector<float>& end, int n, int steps);
