#pragma once

#include <cstddef>
#include <vector>

struct Box {
  int ni, nj, nk;
  std::size_t cells() const { return static_cast<std::size_t>(ni) * nj * nk; }
  std::size_t at(int i, int j, int k) const { return (static_cast<std::size_t>(i) * nj + j) * nk + k; }
};

/// W[1] to W[9] are the weights; W[0] is not used.
inline constexpr float weights[10] = {0, 0.2f, 0.5f, -0.8f, -0.3f, 0.6f, -0.9f, 0.4f, 0.7f, 0.10f};

Box box_from_arguments(int argc, char** argv);
std::vector<float> smooth_noise(const Box& box);
long count_wrong(const Box& box, const std::vector<float>& in, const std::vector<float>& before, const std::vector<float>& out);
