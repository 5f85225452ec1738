#pragma once
// A GPU behind the Device interface, whoever made it.

#include "device/device.hpp"
#include "device/gpu/code.hpp"
#include "device/gpu/driver.hpp"

namespace hone::device::gpu {

/// `number` is the device that this thread's calls go to already; E-OPEN when it gives no stream.
Result<std::unique_ptr<Device>> opened(DeviceInfo info, DeviceNumber number, const Driver& driver, Compile compile);

}  // namespace hone::device::gpu
