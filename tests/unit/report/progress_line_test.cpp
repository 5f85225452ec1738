#include "report/progress_line.hpp"

#include <gtest/gtest.h>

namespace hone::report {
namespace {

Progress halfway() {
  Progress progress;
  progress.round = 2;
  progress.rounds = 4;
  progress.doing = "tuning lanes+merge";
  progress.evaluations = 41;
  progress.failures = 3;
  progress.best = 9.812;
  progress.done = 0.5;
  progress.left = Seconds(75);
  return progress;
}

TEST(ProgressLine, SaysBestTriedTimeLeftRoundAndStep) {
  EXPECT_EQ(progress_line(halfway(), 120),
            "[#####.....]  best 9.81x  41 tried, 3 failed  1 min 15 s left  round 2/4  tuning lanes+merge");
}

TEST(ProgressLine, ShortensTheStepThenLeavesOutWhatMattersLeast) {
  EXPECT_EQ(progress_line(halfway(), 91),
            "[#####.....]  best 9.81x  41 tried, 3 failed  1 min 15 s left  round 2/4  tuning lanes+m...");
  EXPECT_EQ(progress_line(halfway(), 50), "best 9.81x  41 tried, 3 failed  1 min 15 s left");
  EXPECT_EQ(progress_line(halfway(), 12), "best 9.81x");
}

TEST(ProgressLine, NeverPassesTheWidth) {
  for (std::size_t width = 0; width < 140; ++width) EXPECT_LE(progress_line(halfway(), width).size(), width);
}

TEST(Duration, IsWrittenForPeople) {
  EXPECT_EQ(duration_text(Seconds(0.4)), "0 s");
  EXPECT_EQ(duration_text(Seconds(59.6)), "1 min 00 s");
  EXPECT_EQ(duration_text(Seconds(3900)), "1 h 05 min");
}

}  // namespace
}  // namespace hone::report
