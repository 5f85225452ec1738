#include <hip/hip_runtime.h>

#include "merge.h"

// A block takes one head of one token; a thread takes elements of it.
__global__ void merge_attn_states_kernel(const float* __restrict__ prefix, const float* __restrict__ prefix_lse,
                                         const float* __restrict__ suffix, const float* __restrict__ suffix_lse,
                                         float* __restrict__ output, float* __restrict__ output_lse, int heads,
                                         int head_size) {
  const int token = blockIdx.x;
  const int head = blockIdx.y;
  const int pair = token * heads + head;
  float p = prefix_lse[pair];
  float s = suffix_lse[pair];
  if (isinf(p)) p = -INFINITY;
  if (isinf(s)) s = -INFINITY;
  const float largest = fmaxf(p, s);
  const float p_part = expf(p - largest);
  const float s_part = expf(s - largest);
  const float sum = p_part + s_part;
  for (int d = threadIdx.x; d < head_size; d += blockDim.x) {
    const int at = pair * head_size + d;
    output[at] = (prefix[at] * p_part + suffix[at] * s_part) / sum;
  }
  if (threadIdx.x == 0) output_lse[pair] = logf(sum) + largest;
}

void merge_attn_states(const float* prefix, const float* prefix_lse, const float* suffix, const float* suffix_lse,
                       float* output, float* output_lse, int tokens, int heads, int head_size) {
  const int threads = head_size < 64 ? 32 : 64;
  hipLaunchKernelGGL(merge_attn_states_kernel, dim3(tokens, heads), dim3(threads), 0, 0, prefix, prefix_lse, suffix,
                     suffix_lse, output, output_lse, heads, head_size);
}
