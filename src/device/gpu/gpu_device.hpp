#pragma once
// A GPU behind the Device interface, whoever made it.

#include <utility>
#include <vector>

#include "device/device.hpp"
#include "device/gpu/code.hpp"
#include "device/gpu/driver.hpp"

namespace hone::device::gpu {

/// `number` is the device that this thread's calls go to already; E-OPEN when it gives no stream.
Result<std::unique_ptr<Device>> opened(DeviceInfo info, DeviceNumber number, const Driver& driver, Compile compile);

/// Of the devices that were found, if any; each kind finds them in a form of its own.
template <class Found>
std::vector<DeviceInfo> infos_of(Result<std::vector<Found>> found) {
  std::vector<DeviceInfo> all;
  if (found)
    for (auto& one : *found) all.push_back(std::move(one.info));
  return all;
}

}  // namespace hone::device::gpu
