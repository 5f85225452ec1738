#include "emulator/warp.hpp"

#include <gtest/gtest.h>

#include "emulator/abi.hpp"

namespace hone::emulator {
namespace {

constexpr std::uint32_t kAllLanes = ~0U;

TEST(Warp, NobodyGetsAResultBeforeTheLastLaneIsThere) {
  Warp warp;
  for (std::uint32_t lane = 0; lane < 31; ++lane) EXPECT_FALSE(warp.arrive(kHoneSum, kAllLanes, lane, {lane, 0, 0}));
  EXPECT_TRUE(warp.is_waiting());
  EXPECT_EQ(warp.arrive(kHoneSum, kAllLanes, 31, {31, 0, 0}), kAllLanes);
  for (const auto result : warp.results()) EXPECT_EQ(result, 496U);
  EXPECT_FALSE(warp.is_waiting());
}

TEST(Warp, LanesThatEndedAreNotWaitedFor) {
  Warp warp;
  EXPECT_FALSE(warp.arrive(kHoneSum, 0b111, 0, {1, 0, 0}));
  EXPECT_FALSE(warp.arrive(kHoneSum, 0b111, 2, {4, 0, 0}));
  EXPECT_EQ(warp.end(1), 0b101U);
  EXPECT_EQ(warp.results()[2], 5U);
}

TEST(Warp, TwoHalvesExchangeAtOnceWithoutMixing) {
  Warp warp;
  EXPECT_FALSE(warp.arrive(kHoneBallot, 0b0011, 0, {1, 0, 0}));
  EXPECT_FALSE(warp.arrive(kHoneBallot, 0b1100, 2, {0, 0, 0}));
  EXPECT_EQ(warp.arrive(kHoneBallot, 0b1100, 3, {1, 0, 0}), 0b1100U);
  EXPECT_EQ(warp.results()[2], 0b1000U);
  EXPECT_EQ(warp.arrive(kHoneBallot, 0b0011, 1, {1, 0, 0}), 0b0011U);
  EXPECT_EQ(warp.results()[0], 0b0011U);
}

TEST(Warp, AShuffleBeyondItsSegmentKeepsItsOwnValue) {
  Warp warp;
  const std::uint32_t width8 = (32 - 8) << 8U | 31U;  // as the compiler encodes __shfl_down_sync(..., 8)
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) warp.arrive(kHoneDown, kAllLanes, lane, {lane * 10, 3, width8});
  EXPECT_EQ(warp.results()[0], 30U | std::uint64_t{1} << 32U);
  EXPECT_EQ(warp.results()[6], 60U) << "and says so by its predicate";
}

}  // namespace
}  // namespace hone::emulator
