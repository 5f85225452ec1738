#include "judge/timed_outputs.hpp"

#include <gtest/gtest.h>

#include "fake_session.hpp"

namespace hone::judge {
namespace {

class TimingOutputs : public testing::Test {
 protected:
  /// `run` is the program; `runs` of it are timed, and what is read is right when `right` says so.
  Checked<TimesTaken> timed(const std::function<void(Memory&, int)>& run, std::size_t runs,
                            const std::function<bool(float)>& right) {
    machine_.programs["k"] = {.run = run};
    RenewingSession session(sessions_);
    const Built built = *session.build({Language::OpenCL, "k", {}, {}}, true);
    Problem problem;
    problem.buffers = {{"out", "float", 4, "zero", 1, false, {}}};
    EXPECT_TRUE(session.load(problem));
    TimedOutputs outputs({"out"}, [&](const Ran& ran) -> std::optional<Verdict> {
      ++looked_;
      float first = 0;
      std::memcpy(&first, ran.outputs.at("out").data(), sizeof first);
      if (right(first)) return std::nullopt;
      return WrongOutput{"outputs-after-timing", "wrong"};
    });
    return outputs.time(session, built, std::vector<ConcreteLaunch>(1), runs, true);
  }

  FakeMachine machine_;
  FakeSessions sessions_{machine_};
  int looked_ = 0;
};

TEST_F(TimingOutputs, OneLookStandsForRunsThatLeftTheSame) {
  const auto taken =
      timed([](Memory& memory, int) { memory["out"][0] = 7; }, 5, [](float first) { return first == 7; });
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->span.size(), 5U);
  EXPECT_EQ(looked_, 1);
}

TEST_F(TimingOutputs, ARunThatNobodyLookedAtLosesItsTime) {
  float calls = 0;
  const auto taken = timed([&](Memory& memory, int) { memory["out"][0] = ++calls; }, 5, [](float) { return true; });
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->span.size(), 1U);
  EXPECT_EQ(taken->busy.size(), 1U);
}

TEST_F(TimingOutputs, WrongAfterTenCallsIsAVerdict) {
  int calls = 0;
  const auto taken =
      timed([&](Memory& memory, int) { memory["out"][0] = ++calls > 10 ? 0 : 7; }, 12, [](float f) { return f == 7; });
  ASSERT_FALSE(taken);
  EXPECT_TRUE(std::holds_alternative<WrongOutput>(std::get<Verdict>(taken.error())));
}

}  // namespace
}  // namespace hone::judge
