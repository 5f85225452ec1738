#include "device/cuda/api.hpp"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/text.hpp"

namespace hone::device::cuda {
namespace {

namespace fs = std::filesystem;

/// What only this vendor's driver has, or has in its own form.
struct Own {
  Status (*retain)(void**, DeviceNumber) = nullptr;
  Status (*release)(DeviceNumber) = nullptr;
  Status (*set_current)(void*) = nullptr;
  Status (*error_name)(Status, const char**) = nullptr;
  Status (*set_attribute)(gpu::Function, int, int) = nullptr;
};
struct Loaded {
  Driver driver;
  Own own;
};

std::string emulator_library;  // NOLINT: of this process, set once before the first call
const Result<Loaded>& loaded();

std::string error_name(Status status) {
  const char* name = nullptr;
  return loaded() && loaded()->own.error_name(status, &name) == 0 && name != nullptr ? name : std::string();
}

Result<Loaded> load_driver(const std::string& name) {
  void* library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return fail("E-DEVICE", "no CUDA device: libcuda.so.1, the driver of NVIDIA GPUs, is missing");
  Loaded api;
  auto missing = gpu::fill(api.driver, library, gpu::Vendor::Nvidia);
  const auto find = [&](auto& function, const char* symbol) {
    function =
        reinterpret_cast<std::remove_reference_t<decltype(function)>>(gpu::find_symbol(library, symbol, missing));
  };
  find(api.own.retain, "cuDevicePrimaryCtxRetain");
  find(api.own.release, "cuDevicePrimaryCtxRelease_v2");
  find(api.own.set_current, "cuCtxSetCurrent");
  find(api.own.error_name, "cuGetErrorName");
  find(api.own.set_attribute, "cuFuncSetAttribute");
  if (!missing.empty())
    return fail("E-DEVICE",
                "no CUDA device: the driver libcuda.so.1 lacks " + join(missing, ", ") + "; it is older than CUDA 11.2",
                "install a driver of CUDA 11.2 or later");
  api.driver.vendor = "CUDA";
  api.driver.error_name = error_name;
  api.driver.close = [](DeviceNumber number) { loaded()->own.release(number); };
  api.driver.allow_dynamic = [](gpu::Function function, std::size_t bytes) {
    constexpr int kDynamicOfFunction = 8;
    return loaded()->own.set_attribute(function, kDynamicOfFunction, static_cast<int>(bytes));
  };
  return api;
}

const Result<Loaded>& loaded() {
  static const auto real = load_driver("libcuda.so.1");
  if (emulator_library.empty()) return real;
  static const auto emulated = load_driver(emulator_library);
  return emulated;
}

/// Where a toolkit may be: what the environment says, then the usual place.
std::vector<fs::path> toolkits() {
  std::vector<fs::path> out;
  for (const auto* variable : {"CUDA_PATH", "CUDA_HOME"})
    if (const char* folder = std::getenv(variable); folder != nullptr && *folder != '\0') out.emplace_back(folder);
  out.emplace_back("/usr/local/cuda");
  return out;
}

constexpr auto kNvrtcNames = std::to_array<std::string_view>({"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"});

void* open_nvrtc() {
  for (const auto name : kNvrtcNames)
    if (void* library = ::dlopen(std::string(name).c_str(), RTLD_NOW | RTLD_LOCAL); library != nullptr) return library;
  for (const auto& toolkit : toolkits())
    for (const auto* folder : {"lib64", "lib", "targets/x86_64-linux/lib"})
      for (const auto name : kNvrtcNames) {
        const auto path = toolkit / folder / name;
        std::error_code ignored;
        if (!fs::exists(path, ignored)) continue;
        if (void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); library != nullptr) return library;
      }
  return nullptr;
}

Result<Nvrtc> load_nvrtc() {
  void* library = open_nvrtc();
  if (library == nullptr)
    return fail(
        "E-NVRTC",
        "NVRTC, which compiles CUDA kernels at run time, was not found: " +
            join({kNvrtcNames.begin(), kNvrtcNames.end()}, ", "),
        "pip install nvidia-cuda-nvrtc and point LD_LIBRARY_PATH to its lib folder, or set CUDA_PATH to a toolkit");
  Nvrtc api;
  const auto missing = gpu::fill(api, library, gpu::Vendor::Nvidia);
  if (!missing.empty()) return fail("E-NVRTC", "NVRTC lacks " + join(missing, ", ") + "; CUDA 11.2 or later has them");
  return api;
}

}  // namespace

void use_emulator(const std::string& library) { emulator_library = library; }

const Result<Driver>& driver() {
  const auto driver_of = [](const Result<Loaded>& api) {
    return api.map([](const Loaded& one) { return one.driver; });
  };
  static const Result<Driver> real = driver_of(loaded());
  if (emulator_library.empty()) return real;
  static const Result<Driver> emulated = driver_of(loaded());
  return emulated;
}

Status use_device(DeviceNumber number) {
  void* context = nullptr;
  const auto status = loaded()->own.retain(&context, number);
  return status == 0 ? loaded()->own.set_current(context) : status;
}

const Result<Nvrtc>& nvrtc() {
  static const auto api = load_nvrtc();
  return api;
}

std::string cuda_headers() {
  std::vector<fs::path> folders;
  Dl_info where{};
  // A package of PyPI has its headers beside its lib folder.
  if (const auto& api = nvrtc(); api && ::dladdr(reinterpret_cast<void*>(api->version), &where) != 0)
    folders.push_back(fs::path(where.dli_fname).parent_path().parent_path() / "include");
  for (const auto& toolkit : toolkits()) folders.push_back(toolkit / "include");
  for (const auto& folder : folders) {
    std::error_code ignored;
    if (fs::exists(folder / "cuda_fp16.h", ignored)) return folder.string();
  }
  return {};
}

std::string status_name(Status status) { return gpu::status_name(*driver(), status); }

}  // namespace hone::device::cuda
