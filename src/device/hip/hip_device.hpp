#pragma once
// AMD's GPUs through the HIP runtime, behind the Device interface.

#include "device/backend.hpp"

namespace hone::device {

extern const Backend hip_backend;

}  // namespace hone::device
