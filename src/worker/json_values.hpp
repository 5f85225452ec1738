#pragma once
// The values of core/ that travel in frames, as JSON. Reading throws what the JSON library throws; messages.cpp catches
// it.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/device_session.hpp"
#include "os/sandbox_report.hpp"

namespace hone::worker {

using Json = nlohmann::json;

Json to_json(const DeviceInfo& device);
DeviceInfo device_from(const Json& json);

Json to_json(const os::SandboxReport& report);
os::SandboxReport sandbox_from(const Json& json);

Json to_json(const std::vector<ConcreteLaunch>& launches);
std::vector<ConcreteLaunch> launches_from(const Json& json);

Json to_json(const std::vector<KernelResources>& kernels);
std::vector<KernelResources> kernels_from(const Json& json);

}  // namespace hone::worker
