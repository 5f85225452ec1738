#pragma once
#include <cuda_runtime.h>

#include <cmath>

/// Two partial attentions over different keys become one. `*_lse` is the logarithm of the sum of exponentials of each
/// part, [tokens][heads]; outputs are [tokens][heads][head_size]. A part without keys has an infinite lse and counts
/// nothing.
struct MergeArguments {
  const float* prefix;
  const float* prefix_lse;
  const float* suffix;
  const float* suffix_lse;
  float* output;
  float* output_lse;
  int tokens, heads, head_size;
};

__global__ void merge_attn_states_kernel(const MergeArguments m) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  const int total = m.tokens * m.heads * m.head_size;
  if (index >= total) return;
  const int pair = index / m.head_size;  // token and head
  float p = m.prefix_lse[pair];
  float s = m.suffix_lse[pair];
  if (isinf(p)) p = -INFINITY;
  if (isinf(s)) s = -INFINITY;
  const float top = fmaxf(p, s);
  const float p_weight = expf(p - top);
  const float s_weight = expf(s - top);
  const float sum = p_weight + s_weight;
  m.output[index] = m.prefix[index] * (p_weight / sum) + m.suffix[index] * (s_weight / sum);
  if (index % m.head_size == 0) m.output_lse[pair] = logf(sum) + top;
}
