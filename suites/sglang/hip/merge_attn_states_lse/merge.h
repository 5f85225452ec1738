#pragma once
/// Joins attention over a prefix with attention over the rest. Device pointers; outputs [tokens][heads][head_size],
/// logarithms of the sums of exponentials [tokens][heads]. An infinite logarithm marks a part without keys.
void merge_attn_states(const float* prefix, const float* prefix_lse, const float* suffix, const float* suffix_lse,
                       float* output, float* output_lse, int tokens, int heads, int head_size);
