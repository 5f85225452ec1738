#include "device/cuda/listing.hpp"

#include <fmt/format.h>

#include <array>

namespace hone::device::cuda {
namespace {

// Of CUdevice_attribute.
constexpr int kMaxThreads = 1, kSharedOfBlock = 8, kConstantBytes = 9, kLanes = 10, kRegistersOfBlock = 12,
              kClockKilohertz = 13, kMultiprocessors = 16, kSecondCache = 38, kThreadsOfMultiprocessor = 39,
              kMajor = 75, kMinor = 76, kSharedOfMultiprocessor = 81, kSharedOptIn = 97;

std::int64_t attribute_of(DeviceNumber device, int which) {
  int value = 0;
  driver()->device_attribute(&value, which, device);
  return value;
}

Found described(DeviceNumber number, int ordinal) {
  const auto& cu = *driver();
  Found found;
  found.number = number;
  found.major = static_cast<int>(attribute_of(number, kMajor));
  found.minor = static_cast<int>(attribute_of(number, kMinor));
  std::array<char, 256> name{};
  cu.device_name(name.data(), name.size() - 1, number);
  std::size_t memory = 0;
  cu.device_memory(&memory, number);
  int version = 0;
  cu.version(&version);
  found.info.id = fmt::format("cuda:{}", ordinal);
  found.info.name = name.data();
  found.info.driver = fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
  found.info.kind = "gpu";
  found.info.facts = {
      {"max_work_group_size", attribute_of(number, kMaxThreads)},
      {"local_bytes", std::max(attribute_of(number, kSharedOptIn), attribute_of(number, kSharedOfBlock))},
      {"constant_bytes", attribute_of(number, kConstantBytes)},
      {"compute_units", attribute_of(number, kMultiprocessors)},
      {"global_bytes", static_cast<std::int64_t>(memory)},
      {"max_allocation_bytes", static_cast<std::int64_t>(memory)},
      {"cache_bytes", attribute_of(number, kSecondCache)},
      {"cache_line_bytes", std::int64_t{128}},
      {"clock_mhz", attribute_of(number, kClockKilohertz) / 1000},
      {"float_lanes", std::int64_t{1}},
      {"timer_resolution_ns", std::int64_t{500}},
      {"warp", attribute_of(number, kLanes)},
      {"registers", attribute_of(number, kRegistersOfBlock)},
      {"max_resident_threads", attribute_of(number, kThreadsOfMultiprocessor)},
      {"resident_local_bytes", attribute_of(number, kSharedOfMultiprocessor)},
      {"architecture", fmt::format("sm_{}{}", found.major, found.minor)},
      {"images", false},
      {"has_double", true},
      {"has_half", true},
      {"local_is_dedicated", true},
  };
  return found;
}

}  // namespace

Result<std::vector<Found>> devices() {
  const auto& api = driver();
  if (!api) return fail(api.error());
  if (const auto status = api->init(0); status != 0)
    return fail("E-DEVICE", "no CUDA device: the driver does not start: " + status_name(status), "nvidia-smi");
  int count = 0;
  if (const auto status = api->count_devices(&count); status != 0 || count == 0)
    return fail("E-DEVICE",
                "no CUDA device: the driver shows none" + (status != 0 ? ": " + status_name(status) : std::string()),
                "nvidia-smi");
  std::vector<Found> out;
  for (int i = 0; i < count; ++i) {
    DeviceNumber number = 0;
    if (api->device(&number, i) == 0) out.push_back(described(number, i));
  }
  return out;
}

}  // namespace hone::device::cuda
