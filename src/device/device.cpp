#include "device/device.hpp"

#include <sched.h>
#include <unistd.h>

#include <cstdlib>

#include "base/text.hpp"
#include "device/backend.hpp"
#include "device/opencl/opencl_device.hpp"

namespace hone::device {

/// PoCL pins its threads when told to. It counts all processors online, so it is told only where this process may use
/// them all; and what a user has set stays.
void keep_threads_apart() {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  if (CPU_COUNT(&allowed) == ::sysconf(_SC_NPROCESSORS_ONLN)) ::setenv("POCL_AFFINITY", "1", 0);
}

static constexpr const Backend* backends[] = {
    &opencl_backend,
};

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> all;
  for (const auto* backend : backends)
    for (auto& device : backend->list()) all.push_back(std::move(device));
  return all;
}

Result<std::unique_ptr<Device>> open_device(const std::string& id) {
  std::vector<std::string> ids;
  for (const auto* backend : backends) {
    for (const auto& device : backend->list()) {
      if (id.empty() || id == device.id) return backend->open(device.id);
      ids.push_back(device.id);
    }
  }
  if (!ids.empty())
    return fail("E-DEVICE", "there is no device " + id + "; there are " + join(ids, ", "), "hone devices");
  std::vector<std::string> missing, remedies;
  for (const auto* backend : backends) {
    missing.emplace_back(backend->missing);
    remedies.emplace_back(backend->remedy);
  }
  return fail("E-DEVICE", join(missing, "; "), join(remedies, ", or "));
}

}  // namespace hone::device
