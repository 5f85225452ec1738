#pragma once
// Headers of the host that sources include out of habit and that NVRTC does not have.

#include <span>

namespace hone::device::cuda {

struct Header {
  const char* name;
  const char* text;
};
std::span<const Header> host_headers();

}  // namespace hone::device::cuda
