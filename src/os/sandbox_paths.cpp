#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "base/text.hpp"
#include "os/sandbox_parts.hpp"

extern char** environ;  // NOLINT

namespace hone::os {
namespace fs = std::filesystem;
namespace {

void add_if_there(std::vector<Path>& paths, const Path& path) {
  std::error_code ignored;
  if (path.is_absolute() && path != "/" && fs::exists(path, ignored)) paths.push_back(path);
}

bool is_below(const Path& path, const Path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

/// What links lead to, and nothing that lies in a folder which is there already: a mount cannot be put on a link.
void add_environment_paths(std::vector<Path>& paths, const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr) return;
  for (const auto& entry : split(value, ':')) {
    std::error_code none;
    const auto path = Path(entry).is_absolute() ? fs::canonical(entry, none) : Path();
    if (!none && std::ranges::none_of(paths, [&](const Path& folder) { return is_below(path, folder); }))
      add_if_there(paths, path);
  }
}

/// A runtime may be installed anywhere: its .icd file says where.
void add_icd_libraries(std::vector<Path>& paths) {
  const char* vendors = std::getenv("OCL_ICD_VENDORS");
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(vendors != nullptr ? vendors : "/etc/OpenCL/vendors", code)) {
    const auto text = entry.path().extension() == ".icd" ? read_text(entry.path()) : fail("", "");
    if (text) add_if_there(paths, Path(trim(*text)).parent_path());
  }
}

bool is_kept(std::string_view name) {
  constexpr std::array<std::string_view, 8> kNames = {"PATH",     "LANG", "LD_LIBRARY_PATH", "LD_PRELOAD", "LC_ALL",
                                                      "LC_CTYPE", "TZ",   "OMP_NUM_THREADS"};
  constexpr std::array<std::string_view, 15> kPrefixes = {
      "OCL_",  "OPENCL_", "POCL_", "OCLGRIND_", "CUDA_",        "NVIDIA_",      "HIP_",         "ROCR_",
      "ROCM_", "HSA_",    "GPU_",  "CL_",       "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"};
  for (const auto kept : kNames)
    if (name == kept) return true;
  for (const auto prefix : kPrefixes)
    if (name.starts_with(prefix)) return true;
  return false;
}

}  // namespace

Reach reach_of_this_machine(const Path& scratch) {
  Reach reach;
  for (const auto* path :
       {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/sys", "/etc/OpenCL", "/etc/ld.so.cache",
        "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime", "/etc/nvidia"})
    add_if_there(reach.readable, path);
  for (const auto* variable :
       {"OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "LD_LIBRARY_PATH", "LD_PRELOAD", "CUDA_PATH", "CUDA_HOME"})
    add_environment_paths(reach.readable, variable);
  add_icd_libraries(reach.readable);
  reach.readable.push_back(own_program());
  // The emulator of GPU kernels, where it was built and where it is installed.
  for (const auto& folder : {own_program().parent_path(), own_program().parent_path().parent_path() / "lib" / "hone"})
    add_if_there(reach.readable, folder / "libhone_emulator_cuda.so");

  for (const auto* path :
       {"/dev/dri", "/dev/kfd", "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/nvidia-modeset"})
    add_if_there(reach.devices, path);
  for (int i = 0; i < 16; ++i) add_if_there(reach.devices, "/dev/nvidia" + std::to_string(i));

  reach.writable.push_back(scratch);
  // The log of a checker around us; "/dev/stdout" is no file to give away.
  std::vector<Path> logs;
  add_environment_paths(logs, "OCLGRIND_LOG");
  for (const auto& log : logs)
    if (log.parent_path() != "/dev") reach.writable.push_back(log);
  return reach;
}

std::vector<std::string> clean_environment(const Path& scratch) {
  std::vector<std::string> kept;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (is_kept(text.substr(0, text.find('=')))) kept.emplace_back(text);
  }
  for (const auto* name : {"HOME", "TMPDIR", "XDG_CACHE_HOME", "POCL_CACHE_DIR", "CUDA_CACHE_PATH"}) {
    std::erase_if(kept, [&](const auto& text) { return text.starts_with(std::string(name) + "="); });
    kept.push_back(std::string(name) + "=" + scratch.string());
  }
  return kept;
}

}  // namespace hone::os
