#pragma once
// Everything a judgement needs, joined once: workers on the device, workers under oclgrind, K(0) in double precision,
// what the device can do at best, the device's turn, the judge.

#include <memory>
#include <optional>

#include "app/device_speed.hpp"
#include "app/setting.hpp"
#include "judge/judge.hpp"
#include "judge/operations.hpp"
#include "judge/watcher.hpp"
#include "source/lift.hpp"
#include "worker/client.hpp"

namespace hone::app {

class JudgeSetup {
 public:
  static Result<std::unique_ptr<JudgeSetup>> open(const Mep& mep, const DeviceChoice& choice, std::uint64_t seed);
  judge::Judge& judge() { return *judge_; }
  const DeviceInfo& device() const { return device_; }
  judge::SpeedLimit* speed() { return speed_ ? &*speed_ : nullptr; }

 private:
  explicit JudgeSetup(const DeviceChoice& choice);
  worker::WorkerSessions sessions_;
  worker::WorkerSessions watched_;
  std::optional<judge::OclgrindWatcher> watcher_;
  source::ClangLifter lifter_;
  Mep mep_;
  std::optional<judge::InterpretedOperations> operations_;
  std::optional<DeviceSpeed> speed_;
  std::unique_ptr<DeviceTurns> turns_;
  std::unique_ptr<NoiseFloors> noise_;
  std::optional<judge::Judge> judge_;
  DeviceInfo device_;
};

}  // namespace hone::app
