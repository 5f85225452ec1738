#pragma once
// NVIDIA's GPUs through the CUDA driver, behind the Device interface.

#include "device/backend.hpp"

namespace hone::device {

extern const Backend cuda_backend;

}  // namespace hone::device
