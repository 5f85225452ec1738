// The same figures beside other programs as on a quiet machine, or none.

#include <algorithm>

#include "judge/contention.hpp"
#include "judging.hpp"

namespace hone::judge {
namespace {

class BesideOthers : public Judging {
 protected:
  /// K(0) takes 200 ms and the candidate 4 ms, while each thread gets `share` of its processor.
  Comparison compared(double share) {
    machine_.load = FakeLoad{share, Nanoseconds(3e6)};
    machine_.programs["k0"] = {.run = twice, .takes = [] { return Nanoseconds(200e6); }};
    machine_.programs["candidate"].run = twice;
    machine_.programs["candidate"].takes = [] { return Nanoseconds(4e6); };
    return judge().confirm(variant("candidate"), variant("k0"), false)->comparison;
  }
};

TEST_F(BesideOthers, TheRatioIsThatOfAQuietMachine) {
  for (const double share : {1.0, 0.7, 0.5, 0.35}) {
    const auto found = compared(share);
    EXPECT_EQ(name_of(found.call), "FASTER") << share;
    EXPECT_NEAR(found.ratio, 50, 1e-6) << share;
    EXPECT_NEAR(found.challenger.count(), 4e6, 1) << share;
  }
}

TEST_F(BesideOthers, AMachineThatIsTooBusyGivesNoFigure) { EXPECT_EQ(name_of(compared(0.1).call), "BUSY"); }

TEST_F(BesideOthers, MoreWaitingThanTheKernelSawIsNotBelieved) {
  machine_.programs["candidate"].claimed_wait = 1000;
  EXPECT_LT(compared(0.9).ratio, 50 / 0.7);
}

TEST_F(BesideOthers, AWorkloadOfOneThreadIsNotHalved) {
  machine_.programs["candidate"].threads = 1;
  EXPECT_NEAR(compared(0.5).ratio, 50, 1e-6);
}

TEST_F(BesideOthers, ScreeningSeesThroughTheLoadToo) {
  machine_.load = FakeLoad{0.5, Nanoseconds(3e6)};
  machine_.programs["k0"] = {.run = twice, .takes = [] { return Nanoseconds(40e6); }};
  EXPECT_NEAR(median(judge().screen(variant("k0"), {})->times.at("tune").span).count(), 40e6, 1);
}

/// Runs of a kernel of 4 ms on two threads. Where one of them waited at the end, the other had nothing left to do.
TimesTaken runs_of_4_ms(const std::vector<bool>& disturbed) {
  TimesTaken taken;
  for (const bool waited : disturbed) {
    taken.span.emplace_back(waited ? 8e6 : 4e6);
    taken.ran.emplace_back(8e6);
    taken.waited.emplace_back(waited ? 4e6 : 0);
  }
  taken.cpu = Nanoseconds(8e6 * static_cast<double>(disturbed.size()));
  taken.waiting = Nanoseconds(4e6 * static_cast<double>(std::ranges::count(disturbed, true)));
  return taken;
}

TEST(CalmMiddle, IsThatOfTheRunsThatNobodyDisturbed) {
  EXPECT_EQ(calm_middle(undisturbed_passes(runs_of_4_ms({true, false, true, false}))), Nanoseconds(4e6));
}

TEST(CalmMiddle, TakesAllRunsWhereNoneWasCalmer) {
  auto alone = undisturbed_passes(runs_of_4_ms({false, false, false}));
  alone.passes = {Nanoseconds(3e6), Nanoseconds(9e6), Nanoseconds(4e6)};
  EXPECT_EQ(calm_middle(alone), Nanoseconds(4e6));
}

TEST(UndisturbedPasses, TakeTheWholeRequestsAccountWhereTheWorkerHasNoneOfItsOwn) {
  auto taken = runs_of_4_ms({true, true, true});
  taken.ran.clear();
  taken.waited.clear();
  taken.waiting = taken.cpu * 3;
  const auto alone = undisturbed_passes(taken);
  EXPECT_NEAR(alone.served, 0.25, 1e-9);
  EXPECT_LT(alone.served, kLeastServed) << "such a machine is too busy for a figure";
  EXPECT_EQ(calm_middle(alone), Nanoseconds(2e6));
}

TEST(CalmMiddle, IsThePassItselfOfADeviceThatSaysNothingOfItsThreads) {
  TimesTaken taken;
  taken.span = {Nanoseconds(5e6), Nanoseconds(1e6), Nanoseconds(2e6)};
  EXPECT_EQ(calm_middle(undisturbed_passes(taken)), Nanoseconds(2e6));
}

}  // namespace
}  // namespace hone::judge
