#include "loop/profile.hpp"

#include <algorithm>

#include "core/launches.hpp"
#include "core/layout.hpp"

namespace hone::loop {

Profile profile_of(const Mep& mep, const Variant& variant, const DeviceInfo& device, Nanoseconds time,
                   const std::map<std::string, Nanoseconds>& least) {
  Profile out;
  out.time = time;
  const auto* workload = find_workload(mep, Role::Tune);
  if (workload == nullptr) return out;
  if (const auto known = least.find(workload->name); known != least.end() && time.count() > 0)
    out.numbers["share_of_least_time"] = known->second / time;
  const auto problem = concretise(mep, *workload, variant.launches, device, 1);
  if (!problem) return out;
  double bytes = 0;
  for (const auto& buffer : problem->buffers)
    if (const auto type = element_type(buffer.type)) bytes += static_cast<double>(buffer.count * type->bytes());
  // Every buffer once is what must move at least; more traffic than that is what a better kernel saves.
  out.numbers["compulsory_bytes"] = bytes;
  out.numbers["compulsory_gbytes_per_s"] = bytes / std::max(time.count(), 1.0);
  out.numbers["launches"] = static_cast<double>(problem->launches.size());
  double items = 0;
  for (const auto& launch : problem->launches) {
    double volume = 1;
    for (const auto size : launch.global) volume *= static_cast<double>(size);
    items += volume;
  }
  out.numbers["work_items"] = items;
  return out;
}

}  // namespace hone::loop
