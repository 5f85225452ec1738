#include "app/device_speed.hpp"

#include "base/hash.hpp"
#include "worker/ceilings.hpp"

namespace hone::app {

std::string ceilings_file(const std::string& state, const DeviceInfo& device) {
  return state + "/ceilings/" + content_hash(device.name + device.driver) + ".json";
}

std::optional<Nanoseconds> DeviceSpeed::least_time(Bytes moved) {
  if (!asked_) {
    asked_ = true;
    if (auto session = worker::WorkerSessions(options_).start())
      if (auto ceilings = worker::ceilings_of(**session, ceilings_file(state_, (*session)->device())))
        known_ = std::move(*ceilings);
  }
  if (!known_ || known_->bandwidth.empty()) return std::nullopt;
  return hone::least_time(*known_, moved, moved);
}

std::optional<Nanoseconds> DeviceSpeed::least_time_now(Bytes moved) {
  const auto known = least_time(moved);
  auto session = worker::WorkerSessions(options_).start();
  if (!session) return known;
  const auto rate = worker::measure_bandwidth(**session, moved);
  if (!rate) return known;
  const Nanoseconds now(static_cast<double>(moved.count) / *rate * 1e9);
  return known ? std::min(*known, now) : now;
}

}  // namespace hone::app
