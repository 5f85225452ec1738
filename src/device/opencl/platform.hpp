#pragma once
// Which OpenCL devices there are, and what expressions may ask of them.

#include <optional>
#include <string>
#include <vector>

#include "core/device_session.hpp"
#include "device/opencl/api.hpp"

namespace hone::device {

struct OpenClDeviceId {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  DeviceInfo info;
};

/// Every device of every platform, as "opencl:<platform>:<device>".
std::vector<OpenClDeviceId> opencl_devices();
template <class T>
T device_number(cl_device_id device, cl_device_info what, T otherwise) {
  T value{};
  return opencl()->clGetDeviceInfo(device, what, sizeof value, &value, nullptr) == CL_SUCCESS ? value : otherwise;
}

}  // namespace hone::device
