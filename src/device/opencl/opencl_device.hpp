#pragma once
// Any device of any OpenCL platform, behind the Device interface.

#include <memory>

#include "device/device.hpp"
#include "device/opencl/platform.hpp"

namespace hone::device {

Result<std::unique_ptr<Device>> open_opencl(const OpenClDeviceId& id);

}  // namespace hone::device
