#pragma once

#include <vector>

/// n samples of m variables that share three hidden influences, each with a mean of its own: covariances of both signs.
std::vector<float> correlated_samples(int n, int m);

/// How many elements of `covariance` differ from those of `samples` in double precision.
long count_wrong(const std::vector<float>& samples, const std::vector<float>& covariance, int n, int m);
