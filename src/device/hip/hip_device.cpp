#include "device/hip/hip_device.hpp"

#include <fmt/format.h>

#include <array>

#include "device/gpu/gpu_device.hpp"
#include "device/hip/api.hpp"
#include "device/hip/compile.hpp"

namespace hone::device {
namespace hip {
namespace {

// Of hipDeviceAttribute_t since ROCm 5.
constexpr int kClockKilohertz = 5, kSecondCache = 19, kMaxThreads = 56, kThreadsOfMultiprocessor = 57,
              kMultiprocessors = 63, kRegistersOfBlock = 71, kSharedOfBlock = 74, kConstantBytes = 83, kLanes = 87,
              kSharedOfMultiprocessor = 10002;
constexpr const char* kNext = "rocminfo";

struct Found {
  DeviceNumber number = 0;
  std::string target;
  DeviceInfo info;
};

std::int64_t attribute_of(DeviceNumber device, int which) {
  int value = 0;
  driver()->device_attribute(&value, which, device);
  return value;
}

Found described(DeviceNumber number, int ordinal) {
  const auto& hip = *driver();
  Found found;
  found.number = number;
  found.target = target_of(number);
  std::array<char, 256> name{};
  hip.device_name(name.data(), name.size() - 1, number);
  std::size_t memory = 0;
  hip.device_memory(&memory, number);
  int version = 0;
  hip.version(&version);
  found.info.id = fmt::format("hip:{}", ordinal);
  found.info.name = name.data();
  found.info.driver = fmt::format("HIP {}.{}", version / 10'000'000, version / 100'000 % 100);
  found.info.kind = "gpu";
  found.info.facts = {
      {"max_work_group_size", attribute_of(number, kMaxThreads)},
      {"local_bytes", attribute_of(number, kSharedOfBlock)},
      {"constant_bytes", attribute_of(number, kConstantBytes)},
      {"compute_units", attribute_of(number, kMultiprocessors)},
      {"global_bytes", static_cast<std::int64_t>(memory)},
      {"max_allocation_bytes", static_cast<std::int64_t>(memory)},
      {"cache_bytes", attribute_of(number, kSecondCache)},
      {"cache_line_bytes", std::int64_t{64}},
      {"clock_mhz", attribute_of(number, kClockKilohertz) / 1000},
      {"float_lanes", std::int64_t{1}},
      {"timer_resolution_ns", std::int64_t{1000}},
      {"warp", attribute_of(number, kLanes)},
      {"registers", attribute_of(number, kRegistersOfBlock)},
      {"max_resident_threads", attribute_of(number, kThreadsOfMultiprocessor)},
      {"resident_local_bytes", attribute_of(number, kSharedOfMultiprocessor)},
      {"architecture", found.target.substr(0, found.target.find(':'))},
      {"images", false},
      {"has_double", true},
      {"has_half", true},
      {"local_is_dedicated", true},
  };
  return found;
}

/// Those the runtime shows, HIP_VISIBLE_DEVICES respected.
Result<std::vector<Found>> devices() {
  const auto& api = driver();
  if (!api) return fail(api.error());
  if (const auto status = api->init(0); status != 0)
    return fail("E-DEVICE", "no HIP device: the runtime does not start: " + status_name(status), kNext);
  int count = 0;
  if (const auto status = api->count_devices(&count); status != 0 || count == 0)
    return fail("E-DEVICE",
                "no HIP device: the runtime shows none" + (status != 0 ? ": " + status_name(status) : std::string()),
                kNext);
  std::vector<Found> out;
  for (int i = 0; i < count; ++i) {
    DeviceNumber number = 0;
    if (api->device(&number, i) == 0) out.push_back(described(number, i));
  }
  return out;
}

std::vector<DeviceInfo> listed() { return gpu::infos_of(devices()); }

Result<std::unique_ptr<Device>> opened_by_name(const std::string& id) {
  const auto found = devices();
  if (!found) return fail(found.error());
  for (const auto& one : *found) {
    if (one.info.id != id) continue;
    if (const auto& compiler = hiprtc(); !compiler) return fail(Error(compiler.error()).context("opening " + id));
    if (const auto status = use_device(one.number); status != 0)
      return fail("E-OPEN", "opening " + id + ": " + status_name(status));
    const auto by_hiprtc = [target = one.target](const std::string& source, const std::vector<std::string>& options,
                                                 const std::vector<std::string>& names) {
      return compile(source, options, target, names);
    };
    return gpu::opened(one.info, one.number, *driver(), by_hiprtc);
  }
  return fail("E-OPEN", id + " is no longer there", "hone devices");
}

Error missing() {
  const auto found = devices();
  return found ? Error("E-DEVICE", "no HIP device", kNext) : found.error();
}

}  // namespace
}  // namespace hip

const Backend hip_backend = {"hip", hip::listed, hip::opened_by_name, hip::missing};

}  // namespace hone::device
