#pragma once
#include <vector>

/// The same steps in double precision. `size` follows the largest value rounding could have acted on.
struct Reference {
  std::vector<double> x, b, size;
};
Reference adi_reference(const std::vector<float>& a, const std::vector<float>& b, const std::vector<float>& x, int n,
                        int steps);
