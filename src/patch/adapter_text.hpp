#pragma once
// The generated page that launches in the application's stead: `hone_launch.h`. In: the shapes of the kernels that were
// rewritten, and which interfaces of OpenCL the calls use that it stands for. Out: its text.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "core/template.hpp"

namespace hone::patch {

/// The C interface's clEnqueueNDRangeKernel, and cl::CommandQueue::enqueueNDRangeKernel of the C++ bindings.
struct AdapterInterfaces {
  bool arrays = false, ranges = false;
};

inline constexpr std::string_view adapter_header = "hone_launch.h";

/// An empty kernel of this name stands beside the new text: a program tells its kernels' names, built from source or
/// not.
std::string marker_of(const std::string& kernel);

Result<std::string> adapter_text(const std::vector<LaunchShape>& shapes, const AdapterInterfaces& interfaces);

}  // namespace hone::patch
