#include "device/hip/api.hpp"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/text.hpp"

namespace hone::device::hip {
namespace {

namespace fs = std::filesystem;

/// What only this vendor's runtime has, or has in its own form.
struct Own {
  Status (*set_device)(DeviceNumber) = nullptr;
  const char* (*error_name)(Status) = nullptr;
  Status (*properties)(void*, DeviceNumber) = nullptr;
  std::size_t target_at = 0;  // where in them the architecture's name begins
};
struct Loaded {
  Driver driver;
  Own own;
  void* library = nullptr;
  std::string release;  // "6": the ending of its name, which hipRTC of the same release shares
};
const Result<Loaded>& loaded();

constexpr auto kReleases = std::to_array<std::string_view>({"7", "6", "5"});

/// Where ROCm may be: where the loader looks, what the environment says, the usual place.
void* open_library(const std::string& name) {
  if (void* library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL); library != nullptr) return library;
  std::vector<fs::path> places;
  for (const auto* variable : {"ROCM_PATH", "HIP_PATH"})
    if (const char* folder = std::getenv(variable); folder != nullptr && *folder != '\0') places.emplace_back(folder);
  places.emplace_back("/opt/rocm");
  for (const auto& place : places) {
    const auto path = place / "lib" / name;
    std::error_code ignored;
    if (!fs::exists(path, ignored)) continue;
    if (void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); library != nullptr) return library;
  }
  return nullptr;
}

/// From ROCm 6 the plain name is that of the old structure, kept for programs that were built with it.
void find_properties(void* library, Own& own) {
  constexpr std::size_t kSince6 = 1160, kBefore6 = 396;
  own.target_at = kSince6;
  own.properties = reinterpret_cast<Status (*)(void*, DeviceNumber)>(::dlsym(library, "hipGetDevicePropertiesR0600"));
  if (own.properties != nullptr) return;
  own.target_at = kBefore6;
  own.properties = reinterpret_cast<Status (*)(void*, DeviceNumber)>(::dlsym(library, "hipGetDeviceProperties"));
}

std::string error_name(Status status) {
  const char* name = loaded() ? loaded()->own.error_name(status) : nullptr;
  return name == nullptr ? std::string() : name;
}

/// No kernel has more than its device gives, and none need ask for that.
Status allow_dynamic(gpu::Function function, std::size_t bytes) {
  constexpr int kSharedOfFunction = 1, kSharedOfBlock = 74, kInvalidValue = 1;
  int number = 0, most = 0, own = 0;
  const auto current = reinterpret_cast<Status (*)(int*)>(::dlsym(loaded()->library, "hipGetDevice"));
  if (current == nullptr || current(&number) != 0) return 0;
  if (loaded()->driver.device_attribute(&most, kSharedOfBlock, number) != 0) return 0;
  loaded()->driver.function_attribute(&own, kSharedOfFunction, function);
  return bytes + static_cast<std::size_t>(own) > static_cast<std::size_t>(most) ? kInvalidValue : 0;
}

Result<Loaded> load_runtime() {
  Loaded api;
  for (const auto release : kReleases) {
    api.library = open_library("libamdhip64.so." + std::string(release));
    api.release = release;
    if (api.library != nullptr) break;
  }
  if (api.library == nullptr)
    return fail("E-DEVICE", "no HIP device: libamdhip64.so (.7, .6, .5), the runtime of AMD GPUs, is missing",
                "hone check X.mep --for gfx90a, or hone check X.mep --device emulator:hip");
  auto missing = gpu::fill(api.driver, api.library, gpu::Vendor::Amd);
  const auto find = [&](auto& function, const char* symbol) {
    function =
        reinterpret_cast<std::remove_reference_t<decltype(function)>>(gpu::find_symbol(api.library, symbol, missing));
  };
  find(api.own.set_device, "hipSetDevice");
  find(api.own.error_name, "hipGetErrorName");
  find_properties(api.library, api.own);
  if (api.own.properties == nullptr) missing.emplace_back("hipGetDeviceProperties");
  if (!missing.empty())
    return fail("E-DEVICE",
                "no HIP device: the runtime libamdhip64.so." + api.release + " lacks " + join(missing, ", ") +
                    "; it is older than ROCm 5",
                "install ROCm 5 or later");
  api.driver.vendor = "HIP";
  api.driver.error_name = error_name;
  api.driver.close = [](DeviceNumber) {};
  api.driver.allow_dynamic = allow_dynamic;
  return api;
}

const Result<Loaded>& loaded() {
  static const auto api = load_runtime();
  return api;
}

Result<Hiprtc> load_hiprtc() {
  if (!loaded()) return fail(loaded().error());
  void* library = open_library("libhiprtc.so." + loaded()->release);
  if (library == nullptr) library = loaded()->library;
  Hiprtc api;
  const auto missing = gpu::fill(api, library, gpu::Vendor::Amd);
  if (!missing.empty())
    return fail("E-HIPRTC",
                "hipRTC, which compiles HIP kernels at run time, was not found: neither libhiprtc.so." +
                    loaded()->release + " nor libamdhip64.so." + loaded()->release + " has " + join(missing, ", "),
                "install hiprtc of the same ROCm, or point ROCM_PATH to it");
  return api;
}

}  // namespace

const Result<Driver>& driver() {
  static const Result<Driver> api = loaded().map([](const Loaded& one) { return one.driver; });
  return api;
}

const Result<Hiprtc>& hiprtc() {
  static const auto api = load_hiprtc();
  return api;
}

Status use_device(DeviceNumber number) { return loaded()->own.set_device(number); }

std::string target_of(DeviceNumber number) {
  // Larger than the structure of any release.
  std::array<char, 8192> properties{};
  if (loaded()->own.properties(properties.data(), number) != 0) return {};
  return properties.data() + loaded()->own.target_at;
}

std::string status_name(Status status) { return gpu::status_name(*driver(), status); }

}  // namespace hone::device::hip
