// K(0) on a device that others use too, while its sizes are chosen.
#include "mep/trial.hpp"

#include <gtest/gtest.h>

namespace hone::mep {
namespace {

/// Passes of these times, whatever is launched.
class PassesOf final : public DeviceSession {
 public:
  explicit PassesOf(std::vector<Nanoseconds> passes) : passes_(std::move(passes)) {}
  const DeviceInfo& device() const override { return info_; }
  BuildOutcome build(const std::string&, const std::vector<std::string>&) override {
    return Built{"k0", "", {}, Milliseconds(0)};
  }
  LoadOutcome load(const std::vector<BufferData>&, const std::vector<ImageData>&) override { return std::monostate{}; }
  RunOutcome run(const std::string&, const std::vector<ConcreteLaunch>&, const std::vector<std::string>&) override {
    return Ran{};
  }
  TimeOutcome time(const std::string&, const std::vector<ConcreteLaunch>&, std::size_t, bool,
                   const std::vector<std::string>&) override {
    TimesTaken out;
    out.span = passes_;
    return out;
  }
  RunOutcome read(const std::vector<std::string>&) override { return Ran{}; }

 private:
  DeviceInfo info_;
  std::vector<Nanoseconds> passes_;
};

class Machine final : public DeviceSessions {
 public:
  explicit Machine(std::vector<Nanoseconds> passes) : passes_(std::move(passes)) {}
  Result<std::unique_ptr<DeviceSession>> start() override { return std::make_unique<PassesOf>(passes_); }

 private:
  std::vector<Nanoseconds> passes_;
};

TEST(Trial, TakesTheFastestPassSinceOthersOnlyAdd) {
  using std::chrono::microseconds;
  Machine busy({microseconds(9000), microseconds(20), microseconds(7000), microseconds(22), microseconds(8000)});
  const Limits limits;
  Draft draft;
  Trial trial(limits, busy, draft);
  const auto measured = trial.time(workload_of(draft, "tune", Role::Tune, {}), Milliseconds(1000));
  ASSERT_TRUE(measured) << measured.error().message();
  EXPECT_DOUBLE_EQ(measured->pass.count(), 0.02);
  EXPECT_DOUBLE_EQ(measured->noise.count(), 0.002);
}

}  // namespace
}  // namespace hone::mep
