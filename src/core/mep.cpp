#include "core/mep.hpp"

#include <algorithm>

namespace hone {

bool LaunchLoop::operator==(const LaunchLoop&) const = default;

std::string_view name_of(Role role) {
  switch (role) {
    case Role::Tune: return "tune";
    case Role::HeldOut: return "held-out";
    case Role::Awkward: return "awkward";
  }
  return "tune";
}

const std::vector<std::string>& image_kinds() {
  static const std::vector<std::string> all = {"1d", "1d_buffer", "1d_array", "2d", "2d_array", "3d"};
  return all;
}

const KernelSpec* find_kernel(const Mep& mep, std::string_view name) {
  const auto found = std::ranges::find(mep.kernels, name, &KernelSpec::name);
  return found == mep.kernels.end() ? nullptr : &*found;
}

const Workload* find_workload(const Mep& mep, Role role) {
  const auto found = std::ranges::find(mep.workloads, role, &Workload::role);
  return found == mep.workloads.end() ? nullptr : &*found;
}

Mep without_held_out(Mep mep) {
  std::erase_if(mep.workloads, [](const Workload& workload) { return workload.role == Role::HeldOut; });
  return mep;
}

}  // namespace hone
