#include "device/device.hpp"

#include <sched.h>
#include <unistd.h>

#include <cstdlib>

#include "base/text.hpp"
#include "core/occupancy.hpp"
#include "device/backend.hpp"
#include "device/compiler/compiler_device.hpp"
#include "device/cuda/cuda_device.hpp"
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
    &cuda_backend,
};

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> all;
  for (const auto* backend : backends)
    for (auto& device : backend->list()) all.push_back(std::move(device));
  return all;
}

Result<std::unique_ptr<Device>> open_device(const std::string& id) {
  if (language_of_architecture(id)) return open_compiler(id);
  if (id == kEmulatorId) return open_cuda_emulator();
  const auto kind = std::string_view(id).substr(0, id.find(':'));
  if (kind == "hip")
    return fail("E-DEVICE", "HIP kernels are not run yet, only compiled", "hone check X.mep --for gfx90a");
  std::vector<std::string> ids, missing, remedies;
  for (const auto* backend : backends) {
    const auto there = backend->list();
    for (const auto& device : there) {
      if (id.empty() || id == device.id || id == backend->prefix) return backend->open(device.id);
      ids.push_back(device.id);
    }
    if (!there.empty()) continue;
    auto why = backend->missing();
    // What was asked for by its kind is refused by what that kind lacks.
    if (kind == backend->prefix) return fail(std::move(why));
    missing.push_back(why.message());
    if (!why.next().empty()) remedies.push_back(why.next());
  }
  if (!ids.empty())
    return fail("E-DEVICE", "there is no device " + id + "; there are " + join(ids, ", "), "hone devices");
  return fail("E-DEVICE", join(missing, "; "), join(remedies, ", or "));
}

}  // namespace hone::device
