#include "app/device_speed.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "os/files.hpp"
#include "worker/ceilings.hpp"

namespace hone::app {

std::string ceilings_file(const std::string& state, const DeviceInfo& device) {
  return state + "/ceilings/" + content_hash(device.name + device.driver) + ".json";
}

const Ceilings& DeviceSpeed::ceilings() {
  if (asked_) return known_;
  asked_ = true;
  if (const auto session = sessions_.start())
    if (auto measured = worker::ceilings_of(**session, ceilings_file(state_, (*session)->device())))
      known_ = std::move(*measured);
  return known_;
}

/// The best that is known of data of that size or larger.
std::optional<Nanoseconds> DeviceSpeed::least_time(Bytes moved) {
  if (ceilings().bandwidth.empty()) return least_time_now(moved);
  return hone::least_time(known_, moved, moved);
}

std::optional<Nanoseconds> DeviceSpeed::least_time_now(Bytes moved) {
  const auto session = sessions_.start();
  if (!session) return std::nullopt;
  const auto rate = worker::measure_bandwidth(**session, moved);
  if (!rate) return std::nullopt;
  auto& points = known_.bandwidth;
  const auto at = std::ranges::lower_bound(points, moved, {}, &BandwidthPoint::footprint);
  if (at != points.end() && at->footprint == moved)
    at->bytes_per_second = std::max(at->bytes_per_second, *rate);
  else
    points.insert(at, {moved, *rate});
  return hone::least_time(known_, moved, moved);
}

}  // namespace hone::app
