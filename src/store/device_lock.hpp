#pragma once
// DeviceTurns by flock on a file of the state folder: the kernel frees it when its holder dies, however it dies.

#include <memory>
#include <string>

#include "core/device_turns.hpp"

namespace hone::store {

/// `folder` must exist. Devices are told apart by `device`.
std::unique_ptr<DeviceTurns> device_turns(const std::string& folder, const std::string& device);

}  // namespace hone::store
