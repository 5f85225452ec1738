#include "device/cuda/api.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/text.hpp"

namespace hone::device::cuda {
namespace {

namespace fs = std::filesystem;

/// By the names it had over the years: "cuEventElapsedTime_v2" came in 13, and the older one may go one day.
void* find_symbol(void* library, std::string_view name) {
  const std::string plain(name);
  if (void* found = ::dlsym(library, plain.c_str()); found != nullptr) return found;
  if (void* found = ::dlsym(library, (plain + "_v2").c_str()); found != nullptr) return found;
  return name.ends_with("_v2") ? ::dlsym(library, plain.substr(0, plain.size() - 3).c_str()) : nullptr;
}

std::string emulator_library;  // NOLINT: of this process, set once before the first call

Result<Driver> load_driver(const std::string& name) {
  void* library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return fail("E-DEVICE", "no CUDA device: libcuda.so.1, the driver of NVIDIA GPUs, is missing");
  Driver api;
  std::vector<std::string> missing;
#define HONE_FIND(name, type)                                     \
  api.name = reinterpret_cast<type>(find_symbol(library, #name)); \
  if (api.name == nullptr) missing.emplace_back(#name);
  HONE_CUDA_FUNCTIONS(HONE_FIND)
  if (!missing.empty())
    return fail("E-DEVICE",
                "no CUDA device: the driver libcuda.so.1 lacks " + join(missing, ", ") + "; it is older than CUDA 11.2",
                "install a driver of CUDA 11.2 or later");
  return api;
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
  std::vector<std::string> missing;
  HONE_NVRTC_FUNCTIONS(HONE_FIND)
#undef HONE_FIND
  if (!missing.empty()) return fail("E-NVRTC", "NVRTC lacks " + join(missing, ", ") + "; CUDA 11.2 or later has them");
  api.nvrtcVersion(&api.major, &api.minor);
  return api;
}

}  // namespace

void use_emulator(const std::string& library) { emulator_library = library; }

const Result<Driver>& driver() {
  static const auto real = load_driver("libcuda.so.1");
  if (emulator_library.empty()) return real;
  static const auto emulated = load_driver(emulator_library);
  return emulated;
}

const Result<Nvrtc>& nvrtc() {
  static const auto api = load_nvrtc();
  return api;
}

std::string cuda_headers() {
  std::vector<fs::path> folders;
  Dl_info where{};
  // A package of PyPI has its headers beside its lib folder.
  if (const auto& api = nvrtc(); api && ::dladdr(reinterpret_cast<void*>(api->nvrtcVersion), &where) != 0)
    folders.push_back(fs::path(where.dli_fname).parent_path().parent_path() / "include");
  for (const auto& toolkit : toolkits()) folders.push_back(toolkit / "include");
  for (const auto& folder : folders) {
    std::error_code ignored;
    if (fs::exists(folder / "cuda_fp16.h", ignored)) return folder.string();
  }
  return {};
}

std::string status_name(Status status) {
  const char* name = nullptr;
  if (driver() && driver()->cuGetErrorName(status, &name) == 0 && name != nullptr)
    return std::string(name) + " (" + std::to_string(status) + ")";
  return "CUDA error " + std::to_string(status);
}

bool is_sticky(Status status) {
  // An uncorrectable memory error; illegal address, timeout, lost context, assertion, stack error, illegal instruction,
  // misaligned address, invalid address space, invalid program counter, launch failure.
  constexpr auto kSticky = std::to_array<Status>({214, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719});
  return std::ranges::find(kSticky, status) != kSticky.end();
}

}  // namespace hone::device::cuda
