#pragma once
// Everything a judgement needs, joined once: workers on the device, workers under oclgrind, K(0) in double precision,
// what the device can do at best, the device's turn, the judge.

#include <memory>
#include <optional>

#include "app/check_command.hpp"
#include "app/device_speed.hpp"
#include "app/setting.hpp"
#include "core/accounted.hpp"
#include "judge/judge.hpp"
#include "judge/operations.hpp"
#include "judge/watcher.hpp"
#include "source/lift.hpp"
#include "worker/client.hpp"

namespace hone::app {

/// K(0) with doubles for its floats; none where it has no floats. Options that let a compiler round are left out.
Result<std::optional<Variant>> precise_of(const Mep& mep);

struct JudgeWishes {
  std::uint64_t seed = 1;
  std::optional<Seconds> budget = std::nullopt;  // of the run it judges for
  std::string check_command = {};                // empty: outputs are compared by their types' rule
};

class JudgeSetup {
 public:
  /// `ledger`: who waits for what is written there; may be null.
  static Result<std::unique_ptr<JudgeSetup>> open(const Mep& mep, const DeviceChoice& choice, const JudgeWishes& wishes,
                                                  TimeLedger* ledger = nullptr);
  judge::Judge& judge() { return *judge_; }
  const DeviceInfo& device() const { return device_; }
  judge::SpeedLimit* speed() { return speed_ ? &*speed_ : nullptr; }
  /// What the device can do at best: measured once, then kept.
  const Ceilings& ceilings() { return speed_->ceilings(); }

 private:
  JudgeSetup(const DeviceChoice& choice, TimeLedger* ledger);
  worker::WorkerSessions plain_sessions_;
  worker::WorkerSessions plain_watched_;
  std::optional<TimeLedger> own_ledger_;
  TimeLedger& ledger_;
  AccountedSessions sessions_;
  AccountedSessions watched_;
  std::optional<judge::Watcher> watcher_;
  source::ClangLifter lifter_;
  Mep mep_;
  std::optional<judge::InterpretedOperations> operations_;
  std::optional<CheckCommand> check_command_;
  std::optional<DeviceSpeed> speed_;
  std::unique_ptr<DeviceTurns> plain_turns_;
  std::optional<AccountedTurns> turns_;
  std::unique_ptr<NoiseFloors> noise_;
  std::optional<judge::Judge> judge_;
  DeviceInfo device_;
};

}  // namespace hone::app
