#include "device/gpu/driver.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>

namespace hone::device::gpu {

std::string status_name(const Driver& driver, Status status) {
  const auto name = driver.error_name == nullptr ? std::string() : driver.error_name(status);
  if (!name.empty()) return name + " (" + std::to_string(status) + ")";
  return std::string(driver.vendor) + " error " + std::to_string(status);
}

bool is_sticky(Status status) {
  // An uncorrectable memory error; illegal address, timeout, lost context, assertion, stack error, illegal instruction,
  // misaligned address, invalid address space, invalid program counter, launch failure.
  constexpr auto kSticky = std::to_array<Status>({214, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719});
  return std::ranges::find(kSticky, status) != kSticky.end();
}

/// By the names it had over the years: "cuEventElapsedTime_v2" came in CUDA 13, and the older one may go one day.
void* find_symbol(void* library, const std::string& name, std::vector<std::string>& missing) {
  if (void* found = ::dlsym(library, name.c_str()); found != nullptr) return found;
  if (void* found = ::dlsym(library, (name + "_v2").c_str()); found != nullptr) return found;
  void* found = name.ends_with("_v2") ? ::dlsym(library, name.substr(0, name.size() - 3).c_str()) : nullptr;
  if (found == nullptr) missing.push_back(name);
  return found;
}

std::vector<std::string> fill(Driver& driver, void* library, Vendor vendor) {
  std::vector<std::string> missing;
#define HONE_FIND(name, cuda, hip, type) \
  driver.name = reinterpret_cast<type>(find_symbol(library, vendor == Vendor::Nvidia ? cuda : hip, missing));
  HONE_GPU_FUNCTIONS(HONE_FIND)
#undef HONE_FIND
  return missing;
}

}  // namespace hone::device::gpu
