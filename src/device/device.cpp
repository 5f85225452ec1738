#include "device/device.hpp"

#include <sched.h>
#include <unistd.h>

#include <cstdlib>

#include "base/text.hpp"
#include "device/opencl/opencl_device.hpp"

namespace hone::device {

/// PoCL pins its threads when told to. It counts all processors online, so it is told only where this process may use
/// them all; and what a user has set stays.
void keep_threads_apart() {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  if (CPU_COUNT(&allowed) == ::sysconf(_SC_NPROCESSORS_ONLN)) ::setenv("POCL_AFFINITY", "1", 0);
}

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> all;
  for (auto& found : opencl_devices()) all.push_back(std::move(found.info));
  return all;
}

Result<std::unique_ptr<Device>> open_device(const std::string& id) {
  std::vector<std::string> ids;
  for (const auto& found : opencl_devices()) {
    if (id.empty() || id == found.info.id) return open_opencl(found);
    ids.push_back(found.info.id);
  }
  if (ids.empty())
    return fail("E-DEVICE", "no OpenCL device: libOpenCL.so.1 or a platform for it is missing",
                "apt-get install pocl-opencl-icd");
  return fail("E-DEVICE", "there is no device " + id + "; there are " + join(ids, ", "), "hone devices");
}

}  // namespace hone::device
