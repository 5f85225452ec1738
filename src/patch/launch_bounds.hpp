#pragma once
// What AMD's compilers must be told: without the most threads that a block will have they assume 1,024, give a kernel
// few registers and spill the rest without a word. In: a HIP variant. Out: its kernels with `__launch_bounds__` of the
// blocks that the variant itself gives them.

#include "core/mep.hpp"
#include "core/template.hpp"

namespace hone::patch {

/// A kernel whose block the application still chooses, or has bounds already, or whose text is that of a template's
/// every instance, stays as it is: a launch with more threads than bounds say fails.
Variant with_launch_bounds(const Mep& mep, Variant variant);

}  // namespace hone::patch
