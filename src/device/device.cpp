#include "device/device.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <cstdlib>

#include "base/text.hpp"
#include "core/occupancy.hpp"
#include "device/backend.hpp"
#include "device/compiler/compiler_device.hpp"
#include "device/cuda/cuda_device.hpp"
#include "device/hip/hip_device.hpp"
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
    &hip_backend,
};

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> all;
  for (const auto* backend : backends)
    for (auto& device : backend->list()) all.push_back(std::move(device));
  return all;
}

std::vector<std::string> describe_kinds() {
  std::vector<std::string> lines;
  for (const auto* backend : backends) {
    const auto there = backend->list();
    for (const auto& device : there)
      lines.push_back(fmt::format("{:<8} {}: {} ({})", backend->prefix, device.id, device.name, device.driver));
    if (!there.empty()) continue;
    const auto why = backend->missing();
    lines.push_back(
        fmt::format("{:<8} {}{}", backend->prefix, why.message(), why.next().empty() ? "" : "; next: " + why.next()));
  }
  return lines;
}

Result<std::unique_ptr<Device>> open_device(const std::string& id) {
  if (language_of_architecture(id)) return open_compiler(id);
  if (id == kEmulatorId || id == kHipEmulatorId) return open_emulator(id);
  const auto kind = std::string_view(id).substr(0, id.find(':'));
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
