#pragma once
#include <cstddef>
#include <vector>

/// Covariance of m variables over n observations, `data` row by row. Returns the m x m matrix; the time goes to `ms`.
std::vector<float> covariance_on_device(const std::vector<float>& data, int n, int m, float& ms);
/// In double precision; also each variable's variance, which says how large rounding may be.
void covariance_on_host(const std::vector<float>& data, int n, int m, std::vector<double>& matrix,
                        std::vector<double>& variance);
