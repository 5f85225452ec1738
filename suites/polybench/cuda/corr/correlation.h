#pragma once
#include <cstddef>

/// Correlation of the columns of `data` (n observations of m variables, row by row, in device memory; it is overwritten
/// by the normalised values). `matrix` is m x m; `mean` and `deviation` hold m values each.
void column_statistics(const float* data, float* mean, float* deviation, int n, int m);
void normalise(float* data, const float* mean, const float* deviation, int n, int m);
void correlate(const float* data, float* matrix, int n, int m);
