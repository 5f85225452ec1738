#include "device/opencl/platform.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace hone::device {

static std::string device_text(cl_device_id device, cl_device_info what) {
  std::size_t size = 0;
  if (opencl()->clGetDeviceInfo(device, what, 0, nullptr, &size) != CL_SUCCESS) return {};
  std::string text(size, '\0');
  opencl()->clGetDeviceInfo(device, what, size, text.data(), nullptr);
  return std::string(trim(text.c_str()));
}

static std::string platform_text(cl_platform_id platform, cl_platform_info what) {
  std::size_t size = 0;
  if (opencl()->clGetPlatformInfo(platform, what, 0, nullptr, &size) != CL_SUCCESS) return {};
  std::string text(size, '\0');
  opencl()->clGetPlatformInfo(platform, what, size, text.data(), nullptr);
  return std::string(trim(text.c_str()));
}

static std::map<std::string, Value> facts_of(cl_device_id device) {
  const auto number = [&](cl_device_info what) {
    return static_cast<std::int64_t>(device_number<cl_ulong>(device, what, 0));
  };
  const auto size = [&](cl_device_info what) {
    return static_cast<std::int64_t>(device_number<std::size_t>(device, what, 0));
  };
  const auto count = [&](cl_device_info what) {
    return static_cast<std::int64_t>(device_number<cl_uint>(device, what, 0));
  };
  std::map<std::string, Value> facts = {
      {"max_work_group_size", size(CL_DEVICE_MAX_WORK_GROUP_SIZE)},
      {"local_bytes", number(CL_DEVICE_LOCAL_MEM_SIZE)},
      {"constant_bytes", number(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE)},
      {"compute_units", count(CL_DEVICE_MAX_COMPUTE_UNITS)},
      {"global_bytes", number(CL_DEVICE_GLOBAL_MEM_SIZE)},
      {"max_allocation_bytes", number(CL_DEVICE_MAX_MEM_ALLOC_SIZE)},
      {"cache_bytes", number(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE)},
      {"cache_line_bytes", count(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE)},
      {"clock_mhz", count(CL_DEVICE_MAX_CLOCK_FREQUENCY)},
      {"float_lanes", count(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT)},
      {"timer_resolution_ns", size(CL_DEVICE_PROFILING_TIMER_RESOLUTION)},
      {"images", device_number<cl_bool>(device, CL_DEVICE_IMAGE_SUPPORT, CL_FALSE) == CL_TRUE},
  };
  const auto extensions = " " + device_text(device, CL_DEVICE_EXTENSIONS) + " ";
  facts["has_double"] = extensions.find(" cl_khr_fp64 ") != std::string::npos;
  facts["has_half"] = extensions.find(" cl_khr_fp16 ") != std::string::npos;
  const auto type = device_number<cl_device_local_mem_type>(device, CL_DEVICE_LOCAL_MEM_TYPE, CL_GLOBAL);
  facts["local_is_dedicated"] = type == CL_LOCAL;
  return facts;
}

static std::string kind_of(cl_device_id device) {
  const auto type = device_number<cl_device_type>(device, CL_DEVICE_TYPE, 0);
  if ((type & CL_DEVICE_TYPE_GPU) != 0) return "gpu";
  return (type & CL_DEVICE_TYPE_CPU) != 0 ? "cpu" : "accelerator";
}

std::vector<OpenClDeviceId> opencl_devices() {
  std::vector<OpenClDeviceId> found;
  const OpenCl* cl = opencl();
  cl_uint platform_count = 0;
  if (cl == nullptr || cl->clGetPlatformIDs(0, nullptr, &platform_count) != CL_SUCCESS || platform_count == 0)
    return found;
  std::vector<cl_platform_id> platforms(platform_count);
  cl->clGetPlatformIDs(platform_count, platforms.data(), nullptr);
  for (std::size_t p = 0; p < platforms.size(); ++p) {
    cl_uint device_count = 0;
    if (cl->clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 0, nullptr, &device_count) != CL_SUCCESS) continue;
    std::vector<cl_device_id> devices(device_count);
    cl->clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, device_count, devices.data(), nullptr);
    for (std::size_t d = 0; d < devices.size(); ++d) {
      DeviceInfo info;
      info.id = fmt::format("opencl:{}:{}", p, d);
      info.name = device_text(devices[d], CL_DEVICE_NAME);
      info.driver = platform_text(platforms[p], CL_PLATFORM_NAME) + " " + device_text(devices[d], CL_DRIVER_VERSION);
      info.kind = kind_of(devices[d]);
      info.facts = facts_of(devices[d]);
      found.push_back({platforms[p], devices[d], std::move(info)});
    }
  }
  return found;
}

}  // namespace hone::device
