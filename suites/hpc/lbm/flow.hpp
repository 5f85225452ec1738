// A channel with a round obstacle, and the D2Q9 lattice-Boltzmann update in double precision.
#pragma once

#include <cstddef>
#include <vector>

#include "options.hpp"

inline constexpr int directions = 9;

/// Passed to the kernel by value: the same members in the same order as there.
struct FlowParams {
  int width;
  int height;
  float omega;  // one over the relaxation time
  float push;   // acceleration along the channel
};

struct Flow {
  FlowParams params;
  int steps;
  std::vector<unsigned char> wall;  // 1 where a cell is solid
  std::vector<float> start;         // populations: direction by direction, row by row

  std::size_t cells() const { return wall.size(); }
};

Flow make_flow(const Options& options);

/// The populations after all steps.
std::vector<double> simulate(const Flow& flow);
