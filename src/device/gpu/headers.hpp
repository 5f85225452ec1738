#pragma once
// Headers of the host that sources include out of habit and that compilers at run time do not have; and HIP's own,
// which hipRTC includes by itself and NVRTC does not know.

#include <span>
#include <string>

#include "device/gpu/rtc.hpp"

namespace hone::device::gpu {

/// For NVRTC they hold HIP's words in CUDA's.
std::span<const Header> host_headers(Vendor vendor);
/// A CUDA source with what nvcc puts in front of every source; messages still count its own lines.
std::string with_cuda_header(const std::string& source);
/// A HIP source that includes what hipcc and hipRTC include by themselves; messages still count its own lines.
std::string with_hip_header(const std::string& source);

}  // namespace hone::device::gpu
