#pragma once
// How fast the chosen device can move bytes: from the ceilings that `hone devices` keeps, else measured for the size
// that is asked for; and measured again when a time looks impossible.

#include <map>
#include <optional>
#include <string>

#include "core/ceilings.hpp"
#include "judge/speed_limit.hpp"
#include "worker/client.hpp"

namespace hone::app {

class DeviceSpeed final : public judge::SpeedLimit {
 public:
  DeviceSpeed(worker::WorkerOptions options, std::string state)
      : options_(std::move(options)), state_(std::move(state)) {}
  std::optional<Nanoseconds> least_time(Bytes moved) override;
  std::optional<Nanoseconds> least_time_now(Bytes moved) override;

 private:
  worker::WorkerOptions options_;
  std::string state_;
  bool asked_ = false;
  Ceilings known_;
};

/// Where the ceilings of a device are kept.
std::string ceilings_file(const std::string& state, const DeviceInfo& device);

}  // namespace hone::app
