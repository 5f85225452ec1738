#pragma once
// What the chosen device can do at best: measured once and kept, beside what `hone devices` shows; and measured again
// when a time looks impossible.

#include <map>
#include <optional>
#include <string>

#include "core/ceilings.hpp"
#include "core/device_session.hpp"
#include "judge/speed_limit.hpp"

namespace hone::app {

class DeviceSpeed final : public judge::SpeedLimit {
 public:
  DeviceSpeed(DeviceSessions& sessions, std::string state) : sessions_(sessions), state_(std::move(state)) {}
  /// Empty when it cannot be measured.
  const Ceilings& ceilings();
  std::optional<Nanoseconds> least_time(Bytes moved) override;
  std::optional<Nanoseconds> least_time_now(Bytes moved) override;

 private:
  DeviceSessions& sessions_;
  std::string state_;
  bool asked_ = false;
  Ceilings known_;
};

/// Where the ceilings of a device are kept.
std::string ceilings_file(const std::string& state, const DeviceInfo& device);

}  // namespace hone::app
