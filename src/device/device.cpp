#include "device/device.hpp"

#include "base/text.hpp"
#include "device/opencl/opencl_device.hpp"

namespace hone::device {

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
