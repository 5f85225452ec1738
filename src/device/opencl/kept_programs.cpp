#include "device/opencl/kept_programs.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

namespace hone::device {
namespace {

namespace fs = std::filesystem;

constexpr auto kProgram = "program.bc", kTouched = "last_accessed";

std::optional<fs::path> cache_folder() {
  const char* folder = std::getenv("POCL_CACHE_DIR");
  return folder == nullptr || *folder == '\0' ? std::nullopt : std::optional<fs::path>(folder);
}

bool stays_inside(const fs::path& name) {
  return name.is_relative() && std::ranges::find(name, fs::path("..")) == name.end();
}

/// PoCL touches a file beside each program that it makes or uses.
std::optional<fs::path> last_used(const fs::path& cache) {
  std::optional<fs::path> last;
  fs::file_time_type when{};
  std::error_code ignored;
  for (auto at = fs::recursive_directory_iterator(cache, ignored); at != fs::recursive_directory_iterator();
       at.increment(ignored)) {
    if (at.depth() > 2) at.disable_recursion_pending();
    if (at->path().filename() != kTouched) continue;
    const auto touched = fs::last_write_time(at->path(), ignored);
    if (last && touched <= when) continue;
    last = at->path().parent_path();
    when = touched;
  }
  return last;
}

}  // namespace

CompiledForm kept_of_last_build() {
  const auto cache = cache_folder();
  if (!cache) return {};
  const auto folder = last_used(*cache);
  if (!folder) return {};
  std::ifstream file(*folder / kProgram, std::ios::binary);
  std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (bytes.empty()) return {};
  return {{(*folder / kProgram).lexically_relative(*cache).string(), std::move(bytes)}};
}

void keep(const CompiledForm& form) {
  const auto cache = cache_folder();
  if (!cache) return;
  for (const auto& [name, bytes] : form) {
    if (!stays_inside(name)) continue;
    std::error_code ignored;
    fs::create_directories((*cache / name).parent_path(), ignored);
    std::ofstream file(*cache / name, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
}

}  // namespace hone::device
