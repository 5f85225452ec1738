#include <gtest/gtest.h>

#include "rules/schedule.hpp"

namespace hone::rules {
namespace {

TEST(Step, PrintsAsItWasRead) {
  for (const std::string line :
       {"lanes 0 VX", "merge 1 TI", "unroll k 4", "workgroup WG_X WG_Y", "registers", "keep", "kernel gemm"}) {
    const auto step = parse_step(line);
    ASSERT_TRUE(step) << line;
    EXPECT_EQ(print(*step), line);
  }
}

TEST(Step, ReadsWhateverSpacesThereAre) {
  const auto step = parse_step("  lanes \t j   VX ");
  ASSERT_TRUE(step);
  EXPECT_EQ(print(*step), "lanes j VX");
}

TEST(Step, NamesTheRuleThatWasProbablyMeant) {
  const auto step = parse_step("lane 0 4");
  ASSERT_FALSE(step);
  EXPECT_EQ(step.error().code(), "E-STEP");
  EXPECT_NE(step.error().message().find("did you mean lanes"), std::string::npos);
}

TEST(Step, SaysHowAStepIsWrittenWhenPartsAreMissing) {
  for (const std::string line : {"lanes 0", "merge", "workgroup", "workgroup 1 2 3 4", "registers now"}) {
    const auto step = parse_step(line);
    ASSERT_FALSE(step) << line;
    EXPECT_NE(step.error().message().find("expected `"), std::string::npos) << line;
  }
}

TEST(Schedule, LeavesOutEmptyLines) {
  const auto steps = parse_schedule({"lanes 0 4", "", "  "});
  ASSERT_TRUE(steps);
  EXPECT_EQ(steps->size(), 1U);
}

}  // namespace
}  // namespace hone::rules
