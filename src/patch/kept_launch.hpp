#pragma once
// The launch left as it is: the kernel maps the work-items it gets to the new work, surplus ones return at once.
//
//   launch shape: ceil_div(launch.global[0], 4)
//   __kernel void k(...) {           ->    __kernel void k(...) {
//     ... get_global_size(0) ...             if (get_global_id(0) >= (get_global_size(0) + 3) / 4) return;
//                                            ... ((get_global_size(0) + 3) / 4) ...
//
// A kernel that works in groups keeps whole ones, so that all work-items of a group reach its barriers; then its local
// size must be the launch's own. Kernels of CUDA and HIP always do: their blocks are what a thread's number is made of.

#include <string>

#include "base/result.hpp"
#include "core/mep.hpp"
#include "core/template.hpp"

namespace hone::patch {

/// The source with that kernel mapped. E-LAUNCHSITE says by name what the launch does not give.
Result<std::string> with_kept_launch(const Mep& mep, const LaunchShape& shape, const std::string& source);

}  // namespace hone::patch
