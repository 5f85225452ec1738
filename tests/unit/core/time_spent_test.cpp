#include "core/time_spent.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "core/accounted.hpp"

namespace hone {
namespace {

struct Ledger : testing::Test {
  Seconds clock{100};
  TimeLedger ledger{[this] { return clock; }};
  void passes(double seconds) { clock += Seconds(seconds); }
};

TEST_F(Ledger, TheInnermostScopeCountsAndTheOneAroundItComesBack) {
  passes(1);
  {
    const auto screening = ledger.spend_on(Purpose::Screening);
    passes(2);
    {
      const auto building = ledger.spend_on(Activity::Building);
      passes(4);
    }
    passes(8);
  }
  passes(16);
  const auto spent = ledger.so_far();
  EXPECT_DOUBLE_EQ(spent.on(Purpose::Screening, Activity::Building).count(), 4);
  EXPECT_DOUBLE_EQ(spent.on(Purpose::Screening, Activity::Own).count(), 10);
  EXPECT_DOUBLE_EQ(spent.on(Purpose::Preparing).count(), 17);
  EXPECT_DOUBLE_EQ(spent.on(Activity::Own).count(), 27);
  EXPECT_DOUBLE_EQ(spent.total().count(), 31);
}

TEST_F(Ledger, WhatGoesOnInAnotherThreadIsNotCounted) {
  const auto screening = ledger.spend_on(Purpose::Screening);
  std::thread([this] {
    const auto building = ledger.spend_on(Activity::Building);
    passes(1);
  }).join();
  passes(2);
  EXPECT_DOUBLE_EQ(ledger.so_far().on(Purpose::Screening, Activity::Own).count(), 3);
}

/// Every request takes a second.
class SlowSession final : public DeviceSession {
 public:
  explicit SlowSession(Seconds& clock) : clock_(clock) {}
  const DeviceInfo& device() const override { return info_; }
  BuildOutcome build(const std::string&, const std::vector<std::string>&) override { return took(NotBuilt{"no"}); }
  LoadOutcome load(const std::vector<BufferData>&, const std::vector<ImageData>&) override {
    return took(std::monostate{});
  }
  RunOutcome run(const std::string&, const std::vector<ConcreteLaunch>&, const std::vector<std::string>&) override {
    return took(Ran{});
  }
  TimeOutcome time(const std::string&, const std::vector<ConcreteLaunch>&, std::size_t, bool,
                   const std::vector<std::string>&) override {
    return took(TimesTaken{});
  }
  RunOutcome read(const std::vector<std::string>&) override { return took(Ran{}); }

 private:
  template <class T>
  T took(T outcome) {
    clock_ += Seconds(1);
    return outcome;
  }
  Seconds& clock_;
  DeviceInfo info_;
};

class SlowSessions final : public DeviceSessions {
 public:
  explicit SlowSessions(Seconds& clock) : clock_(clock) {}
  Result<std::unique_ptr<DeviceSession>> start() override {
    clock_ += Seconds(1);
    return std::make_unique<SlowSession>(clock_);
  }

 private:
  Seconds& clock_;
};

void use(DeviceSessions& sessions) {
  const auto session = *sessions.start();
  (void)session->build("", {});
  (void)session->load({}, {});
  (void)session->run("", {}, {});
  (void)session->time("", {}, 1, false, {});
  (void)session->read({});
}

TEST_F(Ledger, RequestsToAWorkerAreWrittenDownAsWhatTheyAre) {
  SlowSessions slow(clock);
  AccountedSessions sessions(slow, ledger);
  use(sessions);
  const auto spent = ledger.so_far();
  EXPECT_DOUBLE_EQ(spent.on(Activity::Starting).count(), 1);
  EXPECT_DOUBLE_EQ(spent.on(Activity::Building).count(), 1);
  EXPECT_DOUBLE_EQ(spent.on(Activity::Data).count(), 1);
  EXPECT_DOUBLE_EQ(spent.on(Activity::Checking).count(), 2);
  EXPECT_DOUBLE_EQ(spent.on(Activity::Timing).count(), 1);
  EXPECT_DOUBLE_EQ(spent.on(Activity::Own).count(), 0);
}

TEST_F(Ledger, SessionsForOneThingCountAsThat) {
  SlowSessions slow(clock);
  AccountedSessions sessions(slow, ledger, Activity::Races);
  use(sessions);
  EXPECT_DOUBLE_EQ(ledger.so_far().on(Activity::Races).count(), 6);
}

}  // namespace
}  // namespace hone
