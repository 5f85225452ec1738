#include "app/device_speed.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "os/files.hpp"
#include "worker/ceilings.hpp"

namespace hone::app {

std::string ceilings_file(const std::string& state, const DeviceInfo& device) {
  return state + "/ceilings/" + content_hash(device.name + device.driver) + ".json";
}

/// The best that is known of data of that size or larger.
std::optional<Nanoseconds> DeviceSpeed::least_time(Bytes moved) {
  if (!asked_) {
    asked_ = true;
    if (const auto session = worker::WorkerSessions(options_).start())
      if (const auto text = os::read_text(ceilings_file(state_, (*session)->device())))
        if (auto kept = worker::ceilings_from_text(*text)) known_ = std::move(*kept);
  }
  if (known_.bandwidth.empty()) return least_time_now(moved);
  return hone::least_time(known_, moved, moved);
}

std::optional<Nanoseconds> DeviceSpeed::least_time_now(Bytes moved) {
  const auto session = worker::WorkerSessions(options_).start();
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
