#pragma once
// Loads and stores of vectors where vloadN and vstoreN may not be there for __global and __local memory.
//
//   vload4(0, a + i)   ->   load_float4(a + i), with      float4 load_float4(__global const float *from) {
//                                                           float each[4];
//                                                           for (int l = 0; l < 4; l++) each[l] = from[l];
//                                                           return vload4(0, each);
//                                                         }
//
// Compilers take the loop for the one access that it is; element by element in an expression they do not.

#include <vector>

#include "core/mep.hpp"
#include "ir/unit.hpp"

namespace hone::rules {

/// Built as OpenCL 2.x, as the host's options say: the builtins take generic pointers alone there, and a device without
/// that address space has none for __global and __local memory.
bool lacks_vector_access(const Mep& mep);

/// The unit with such calls in these kernels brought to functions of its own.
ir::Unit with_own_vector_access(ir::Unit unit, const std::vector<std::string>& kernels);

}  // namespace hone::rules
