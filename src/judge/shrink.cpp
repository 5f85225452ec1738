#include <algorithm>

#include "judge/race_checker.hpp"

namespace hone::judge {
namespace {

/// Small enough for a device that takes some microseconds for each memory access.
constexpr std::size_t kEnoughItems = 1024;
/// Smaller numbers are radii, strides and counts rather than sizes.
constexpr std::int64_t kLeastSize = 12;

std::size_t items_of(const Problem& problem) {
  std::size_t items = 0;
  for (const auto& launch : problem.launches) {
    std::size_t product = 1;
    for (const auto size : launch.global) product *= size;
    items += product;
  }
  return items;
}

std::size_t bytes_of(const Problem& problem) {
  std::size_t bytes = 0;
  for (const auto& buffer : problem.buffers) bytes += buffer.count;
  return bytes;
}

bool keeps_contract(const Mep& mep, const Workload& workload) {
  const auto environment = environment_of(workload.scalars);
  return std::ranges::all_of(
      mep.contract, [&](const Expression& rule) { return rule.evaluate_condition(environment).value_or(false); });
}

/// Every dimension that had several groups still has at least two, so that tiles meet and edges are crossed.
bool keeps_groups(const Problem& before, const Problem& after) {
  if (after.launches.empty()) return false;
  for (std::size_t l = 0; l < std::min(before.launches.size(), after.launches.size()); ++l) {
    const auto& was = before.launches[l];
    const auto& is = after.launches[l];
    for (std::size_t d = 0; d < is.local.size(); ++d) {
      const auto step = std::max<std::size_t>(is.local[d], 1);
      if (was.global[d] / step >= 2 && is.global[d] / step < 2) return false;
    }
  }
  return true;
}

}  // namespace

Workload shrink(const Mep& mep, const Workload& workload, const Variant& variant, const DeviceInfo& device) {
  const auto whole = concretise(mep, workload, variant.launches, device, 1);
  if (!whole) return workload;
  Workload small = workload;
  auto problem = *whole;
  for (bool shrunk = true; shrunk && (items_of(problem) > kEnoughItems || bytes_of(problem) > kEnoughItems * 16);) {
    shrunk = false;
    for (auto& [name, value] : small.scalars) {
      const auto* size = std::get_if<std::int64_t>(&value);
      if (size == nullptr || *size < kLeastSize) continue;
      for (const auto smaller : {*size / 2 | 1, *size / 2, *size * 3 / 4 | 1, *size * 3 / 4}) {
        if (smaller >= *size) continue;
        auto tried = small;
        tried.scalars[name] = smaller;
        auto made = concretise(mep, tried, variant.launches, device, 1);
        if (!made || !keeps_contract(mep, tried) || !keeps_groups(*whole, *made)) continue;
        value = smaller;
        problem = std::move(*made);
        shrunk = true;
        break;
      }
    }
  }
  return small;
}

}  // namespace hone::judge
