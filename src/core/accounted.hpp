#pragma once
// Sessions and turns that write into a ledger how long they were waited for. They change nothing else, so that whoever
// uses a session need not know of the ledger.

#include <memory>
#include <optional>

#include "core/device_session.hpp"
#include "core/device_turns.hpp"
#include "core/time_spent.hpp"

namespace hone {

/// `as`: what all of it counts as, for sessions that serve one purpose; absent: each request as what it is.
class AccountedSessions final : public DeviceSessions {
 public:
  AccountedSessions(DeviceSessions& inner, TimeLedger& ledger, std::optional<Activity> as = std::nullopt)
      : inner_(inner), ledger_(ledger), as_(as) {}
  Result<std::unique_ptr<DeviceSession>> start() override;

 private:
  DeviceSessions& inner_;
  TimeLedger& ledger_;
  std::optional<Activity> as_;
};

class AccountedTurns final : public DeviceTurns {
 public:
  AccountedTurns(DeviceTurns& inner, TimeLedger& ledger) : inner_(inner), ledger_(ledger) {}
  Result<std::unique_ptr<Turn>> take() override;

 private:
  DeviceTurns& inner_;
  TimeLedger& ledger_;
};

}  // namespace hone
