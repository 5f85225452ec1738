// silu_and_mul [TOKENS [D]]: out[t][i] = silu(in[t][i]) * in[t][D + i].
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "activation.hpp"
#include "cl_kernel.hpp"

// A work-group takes one token, its work-items stride over the token's D values.
static const char* const source = R"(
inline float silu(const float x)
{
    return x / (1.0f + exp(-x));
}

__kernel void silu_and_mul(__global float *out, __global const float *input, const int d)
{
    const size_t token = get_group_id(0);
    __global const float *gate = input + token * 2 * d;
    __global const float *value = gate + d;
    __global float *result = out + token * d;

    for (int i = get_local_id(0); i < d; i += get_local_size(0))
        result[i] = silu(gate[i]) * value[i];
}
)";

int main(int argc, char** argv) {
  const Shape shape = parse_shape(argc, argv);
  const std::vector<float> input = make_gate_and_value(shape);
  const std::vector<float> poison(static_cast<std::size_t>(shape.tokens) * shape.d, NAN);

  ocl::Session session;
  ocl::Kernel silu_and_mul(session, source, "silu_and_mul");
  ocl::Tensor in(session, input), out(session, poison);
  const ocl::Range range{static_cast<std::size_t>(shape.tokens), 256};

  silu_and_mul(range, out, in, shape.d);
  double best = INFINITY;
  for (int run = 0; run < 3; run++) {
    out.set(poison);
    best = std::min(best, silu_and_mul(range, out, in, shape.d));
  }

  const long wrong = wrong_outputs(shape, input, out.get());
  std::printf("tokens %d d %d, %ld wrong\n", shape.tokens, shape.d, wrong);
  std::printf("kernel_ms %.3f\n", best);
  std::printf("check %s\n", wrong == 0 ? "OK" : "FAILED");
  return wrong == 0 ? 0 : 1;
}
