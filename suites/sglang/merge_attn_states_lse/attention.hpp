// Two partial results of attention over a split key-value cache, to be merged into one.
#pragma once

#include <cstddef>
#include <vector>

struct Shape {
  int tokens = 1024;
  int heads = 32;  // LLaMA 7B; 13B has 40, 70B 64
  int head_size = 128;

  std::size_t rows() const { return static_cast<std::size_t>(tokens) * heads; }
  std::size_t values() const { return rows() * head_size; }
};

/// The attention's output for each token and head, and the logarithm of the sum of its exponentials.
struct State {
  std::vector<float> values;
  std::vector<float> lse;
};

/// Random partial states. Here and there one of the two saw no keys at all: its lse is minus infinity.
void make_states(const Shape& shape, State& prefix, State& suffix);

/// How many merged values and merged lse differ from double precision.
std::size_t count_wrong(const Shape& shape, const State& prefix, const State& suffix, const State& merged);
