#pragma once
// Kernels nobody wrote, for property tests: valid, free of races and undefined behaviour, with the layout, comments,
// macros and directives people use. All have the same parameters, so that one harness runs them.
//
//   __kernel void k(__global float *out, __global int *iout, __global const float *a, __global const int *b, const int
//   n,
//                   const float s)
//
// `a` and `b` have 64 elements, b's in 0..63; launch 16 work-items in groups of 8; n is 16; work-item i writes out[i]
// and iout[i] only.

#include <cstdint>
#include <string>

namespace hone::testing {

std::string generate_kernel(std::uint32_t seed);

}  // namespace hone::testing
