#pragma once
// Any device of any OpenCL platform, behind the Device interface.

#include "device/backend.hpp"

namespace hone::device {

extern const Backend opencl_backend;

}  // namespace hone::device
