// The activation of a LLaMA feed-forward layer: each token has a gate and a value, side by side, d of each.
#pragma once

#include <vector>

struct Shape {
  int tokens = 1024;
  int d = 11008;  // LLaMA 7B; 13B has 13824, 70B 28672
};

Shape parse_shape(int argc, char** argv);

std::vector<float> make_gate_and_value(const Shape& shape);

/// How many outputs differ from silu(gate) * value in double precision.
long wrong_outputs(const Shape& shape, const std::vector<float>& input, const std::vector<float>& output);
