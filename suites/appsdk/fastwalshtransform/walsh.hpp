#pragma once

#include <cstddef>
#include <vector>

/// `length` random values followed by zeros up to a power of two.
std::vector<float> make_values(std::size_t length);

/// The transform in natural (Hadamard) order, in double precision.
std::vector<double> reference_walsh(const std::vector<float>& values);
