// Accesses in, races out: what orders two threads and what does not.

#include "emulator/watch.hpp"

#include <gtest/gtest.h>

namespace hone::emulator {
namespace {

constexpr std::uint64_t kShared = 0x10000, kGlobal = 0x900000;

class Watching : public testing::Test {
 protected:
  Watching() {
    watch_.begin_launch(4, 64);
    watch_.begin_block(0, {kShared, kShared + 1024});
  }
  void touch(std::uint32_t thread, std::uint64_t address, HoneTouch kind, std::uint32_t bytes = 4) {
    HoneThread one{};
    one.linear = thread;
    one.lane = thread % kLanes;
    one.warp = thread / kLanes;
    watch_.touch(one, address, bytes, kind);
  }
  std::string found() const { return watch_.finding().value_or(""); }
  Watch watch_;
};

TEST_F(Watching, AStoreThatAnotherThreadReadsIsARace) {
  touch(0, kShared, kHoneWrite);
  touch(40, kShared, kHoneRead);
  EXPECT_EQ(
      found(),
      "race: thread 40 reads byte 0 of shared memory that thread 0 of its block writes, and nothing orders the two");
}

TEST_F(Watching, AStoreOverWhatAnotherThreadReadIsARace) {
  touch(5, kShared + 8, kHoneRead);
  touch(6, kShared + 8, kHoneRead);
  touch(6, kShared + 8, kHoneWrite);
  EXPECT_NE(found(), "");
}

TEST_F(Watching, ABarrierOrders) {
  touch(0, kShared, kHoneWrite);
  watch_.barrier();
  touch(40, kShared, kHoneRead);
  watch_.barrier();
  touch(3, kShared, kHoneWrite);
  EXPECT_EQ(found(), "");
}

TEST_F(Watching, AWarpBarrierOrdersItsLanesOnly) {
  touch(1, kShared, kHoneWrite);
  touch(9, kShared + 4, kHoneWrite);
  watch_.warp_barrier(0, 0xFF);
  touch(2, kShared, kHoneRead);
  EXPECT_EQ(found(), "");
  touch(2, kShared + 4, kHoneRead);
  EXPECT_NE(found(), "");
}

TEST_F(Watching, WhatALaneKnowsItPassesOn) {
  touch(1, kShared, kHoneWrite);
  watch_.warp_barrier(0, 0b0110);
  watch_.warp_barrier(0, 0b1100);
  touch(3, kShared, kHoneRead);
  EXPECT_EQ(found(), "");
}

TEST_F(Watching, NeighbouringBytesAreTwoPlaces) {
  touch(0, kGlobal, kHoneWrite, 1);
  touch(1, kGlobal + 1, kHoneWrite, 1);
  EXPECT_EQ(found(), "");
  touch(2, kGlobal, kHoneWrite, 2);
  EXPECT_NE(found(), "");
}

TEST_F(Watching, TheSameValueStoredTwiceIsNone) {
  touch(0, kGlobal, kHoneSilentWrite);
  touch(1, kGlobal, kHoneSilentWrite);
  touch(2, kGlobal, kHoneRead);
  EXPECT_EQ(found(), "");
}

TEST_F(Watching, AtomicsOnOnePlaceDoNotRaceAndAPlainStoreBetweenThemDoes) {
  touch(0, kGlobal, kHoneAtomic);
  touch(40, kGlobal, kHoneAtomic);
  EXPECT_EQ(found(), "");
  touch(50, kGlobal, kHoneWrite);
  EXPECT_NE(found(), "");
}

TEST_F(Watching, ALoopAroundCompareAndSwapMayBeginWithAPlainRead) {
  touch(0, kGlobal, kHoneCompareAndSwap);
  touch(40, kGlobal, kHoneRead);
  touch(40, kGlobal, kHoneCompareAndSwap);
  EXPECT_EQ(found(), "");
  touch(41, kGlobal, kHoneAtomic);
  touch(3, kGlobal, kHoneRead);
  EXPECT_NE(found(), "");
}

TEST_F(Watching, AFlagThatOneBlockSetsAndAnotherAsksForOrdersWhatStandsAroundIt) {
  touch(0, kGlobal, kHoneWrite);
  touch(0, kGlobal + 4096, kHoneAtomic);
  watch_.begin_block(1, {kShared, kShared + 1024});
  touch(0, kGlobal + 4096, kHoneAtomic);
  touch(0, kGlobal, kHoneRead);
  EXPECT_EQ(found(), "");
  watch_.begin_block(2, {kShared, kShared + 1024});
  touch(7, kGlobal, kHoneRead);
  EXPECT_EQ(found(),
            "race: thread 7 of block 2 reads a place in global memory that thread 0 of block 0 writes, and nothing "
            "orders the two");
}

TEST_F(Watching, SharedMemoryOfTheNextBlockIsAnother) {
  touch(0, kShared, kHoneWrite);
  watch_.begin_block(1, {kShared, kShared + 1024});
  touch(1, kShared, kHoneRead);
  EXPECT_EQ(found(), "");
}

TEST_F(Watching, ABarrierThatSomeNeverComeToIsDivergent) {
  watch_.barrier_without(3);
  EXPECT_EQ(found(), "divergent barrier: block 0 passes a barrier that 3 of its threads never come to");
}

}  // namespace
}  // namespace hone::emulator
