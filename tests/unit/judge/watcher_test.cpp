// What a device that watches every access may cost a run, and what is read of its log.

#include "judge/watcher.hpp"

#include <gtest/gtest.h>

#include "core/launches.hpp"
#include "fake_session.hpp"

namespace hone::judge {
namespace {

TEST(Watcher, GivesHalfTheTimeAfterEachThatDidNotEnd) {
  FakeMachine machine;
  machine.programs["quick"] = {};
  machine.programs["endless"].dies = WorkerLost{WorkerLost::Cause::TimedOut, "no answer"};
  FakeSessions sessions(machine);
  Watcher watcher(sessions, Milliseconds(16'000));
  Problem problem;
  const auto limit_of = [&](const char* source) {
    const auto found = watcher.watch(Variant{Language::OpenCL, source, {}, {}}, problem);
    EXPECT_EQ(found.has_value(), std::string(source) == "quick");
    return machine.limit;
  };
  EXPECT_EQ(limit_of("endless"), Milliseconds(16'000));
  EXPECT_EQ(limit_of("quick"), Milliseconds(8'000));
  EXPECT_EQ(limit_of("endless"), Milliseconds(8'000));
  for (int i = 0; i < 5; ++i) limit_of("endless");
  EXPECT_EQ(limit_of("quick"), Milliseconds(2'000));
}

TEST(Watcher, FindsTheFirstFindingAndItsLine) {
  const auto found = first_finding(
      "\nRead-write data race at global memory address 0x1000\n  Kernel: k\n  At line 3 (column 5) of input.cl:\n    "
      "out[i] "
      "= 1;\nInvalid write of size 4\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(*found,
            "Read-write data race at global memory address 0x1000; At line 3 (column 5) of input.cl: out[i] = 1;");
  EXPECT_FALSE(first_finding("all is well\n"));
}

}  // namespace
}  // namespace hone::judge
