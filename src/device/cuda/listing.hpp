#pragma once
// Which CUDA devices there are, and what expressions may ask of them.

#include <vector>

#include "core/device_session.hpp"
#include "device/cuda/api.hpp"

namespace hone::device::cuda {

struct Found {
  DeviceNumber number = 0;
  int major = 0, minor = 0;  // compute capability
  DeviceInfo info;
};
/// Those the driver shows, CUDA_VISIBLE_DEVICES respected, as "cuda:0". E-DEVICE says why there is none.
Result<std::vector<Found>> devices();

}  // namespace hone::device::cuda
