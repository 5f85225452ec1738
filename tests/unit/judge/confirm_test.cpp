// Challenger against incumbent: which processes, how many pairs, and whose figure is the claim.

#include "judge/noise_floor.hpp"
#include "judging.hpp"

namespace hone::judge {
namespace {

TEST_F(Judging, AFasterChallengerIsConfirmed) {
  machine_.programs["candidate"] = {.run = twice, .takes = [] { return Nanoseconds(0.5e6); }};
  const auto confirmation = judge().confirm(variant("candidate"), variant("k0"), true);
  EXPECT_EQ(name_of(confirmation->comparison.call), "FASTER");
  EXPECT_NEAR(confirmation->comparison.ratio, 2, 1e-9);
  EXPECT_EQ(confirmation->workloads.size(), 3U);
}

TEST_F(Judging, AnIncumbentLostFromOutsideIsComparedOnceMore) {
  machine_.programs["candidate"] = {.run = twice, .takes = [] { return Nanoseconds(0.5e6); }};
  JudgeOptions options;
  options.defences = Defences::all().without(Defence::FreshContents);
  auto judge = this->judge(options);
  ASSERT_TRUE(judge.judge(variant("k0")));  // what is expected is known: the first to run is now the incumbent
  machine_.lost_from_outside = 1;
  const auto confirmation = judge.confirm(variant("candidate"), variant("k0"), false);
  ASSERT_TRUE(confirmation);
  EXPECT_EQ(name_of(confirmation->comparison.call), "FASTER");
  machine_.lost_from_outside = 2;
  const auto lost = judge.confirm(variant("candidate"), variant("k0"), false);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code(), "E-INCUMBENT");
}

TEST_F(Judging, AForgedTimeIsFoundByTheParentsClock) {
  machine_.programs["candidate"] = {.run = twice, .takes = [] { return Nanoseconds(0.5e6); }, .honest = 8};
  EXPECT_EQ(defence_of(judge().confirm(variant("candidate"), variant("k0"), false)->verdict), "parent-clock");
}

TEST_F(Judging, AMachineThatSlowsBothClocksIsNotALie) {
  // Every second visit of the challenger meets another program on its core.
  int calls = 0;
  machine_.programs["candidate"] = {.run = twice,
                                    .takes = [&calls] { return Nanoseconds(++calls / 3 % 2 == 0 ? 0.3e6 : 0.7e6); }};
  EXPECT_EQ(name_of(judge().confirm(variant("candidate"), variant("k0"), false)->verdict), "Timed");
}

TEST_F(Judging, ChallengerAndIncumbentRunInProcessesOfTheirOwn) {
  machine_.programs["candidate"] = machine_.programs["other"] = {.run = twice};
  auto judge = this->judge();
  ASSERT_TRUE(judge.judge(variant("candidate")));
  int before = machine_.started;
  ASSERT_TRUE(judge.confirm(variant("candidate"), variant("other"), false));
  EXPECT_EQ(machine_.started, before + 2);
  before = machine_.started;
  ASSERT_TRUE(judge.confirm(variant("candidate"), variant("k0"), false));
  EXPECT_EQ(machine_.started, before + 1) << "K(0) has a process in which nothing else ever ran";
}

TEST_F(Judging, AClaimOnAllWorkloadsKeepsThePairsOfTheFirst) {
  double pass = 0.5e6;
  machine_.programs["candidate"] = {.run = twice, .takes = [&pass] { return Nanoseconds(pass); }};
  machine_.programs[noise_mep(doubling()).source] = {};
  auto judge = this->judge();
  const auto first = judge.prove(variant("candidate"), variant("k0"), false);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->workloads.size(), 1U);
  pass = 0.25e6;  // had it been compared again, the figure would be another
  const auto claim = judge.prove(variant("candidate"), variant("k0"), true);
  ASSERT_TRUE(claim);
  EXPECT_NEAR(claim->comparison.ratio, 2, 1e-9);
  ASSERT_EQ(claim->workloads.size(), 3U);
  EXPECT_NEAR(claim->workloads.front().comparison.ratio, 2, 1e-9);
  EXPECT_NEAR(claim->workloads.back().comparison.ratio, 4, 1e-9);
  EXPECT_EQ(claim->checks, first->checks);
}

TEST_F(Judging, AProofHasManyRunsInOneProcessBesideItsPairs) {
  const auto runs_of_a_proof = [&](std::size_t final_runs) {
    int runs = 0;
    machine_.programs["candidate"] = {.run =
                                          [&runs](Memory& memory, int n) {
                                            ++runs;
                                            twice(memory, n);
                                          },
                                      .takes = [] { return Nanoseconds(0.5e6); }};
    JudgeOptions options;
    options.final_runs = final_runs;
    auto judge = this->judge(options);
    EXPECT_TRUE(judge.prove(variant("candidate"), variant("k0"), false));
    return runs;
  };
  machine_.programs[noise_mep(doubling()).source] = {};
  // Visits of pairs vary in length by a few runs.
  EXPECT_GT(runs_of_a_proof(300) - runs_of_a_proof(1), 250) << "what is right for a few runs only must show";
}

TEST_F(Judging, TheHeadlineIsTheTuneWorkloadsRatioAndTheTimesAreItsOwn) {
  // Closer than a quarter, so that it is measured twice; and far better on the workloads that stand beside.
  int size = 0;
  machine_.programs["candidate"] = {.run =
                                        [&size](Memory& memory, int n) {
                                          size = n;
                                          twice(memory, n);
                                        },
                                    .takes = [&size] { return Nanoseconds(size == 64 ? 0.9e6 : 0.1e6); }};
  int calls = 0;
  machine_.programs["k0"].takes = [&calls] { return Nanoseconds(++calls % 7 == 0 ? 1.03e6 : 1e6); };
  const auto proven = judge().confirm(variant("candidate"), variant("k0"), true);
  const auto& tune = proven->workloads.front().comparison;
  EXPECT_EQ(name_of(proven->comparison.call), "FASTER");
  EXPECT_DOUBLE_EQ(proven->comparison.ratio, tune.ratio);
  EXPECT_LT(proven->comparison.ratio, 1.2);
  EXPECT_GT(proven->workloads.back().comparison.ratio, 9);
  EXPECT_EQ(proven->comparison.pairs, tune.pairs);
  EXPECT_NEAR(tune.incumbent / tune.challenger, tune.ratio, 1e-12);
}

TEST_F(Judging, AHugeDifferenceIsDecidedByAFewPairsInOneFreshProcess) {
  machine_.programs["candidate"] = {.run = twice, .takes = [] { return Nanoseconds(0.025e6); }};
  auto judge = this->judge();
  ASSERT_TRUE(judge.judge(variant("candidate")));
  const int before = machine_.started;
  const auto proven = judge.confirm(variant("candidate"), variant("k0"), false);
  EXPECT_EQ(proven->comparison.pairs, 5U);
  EXPECT_LT(proven->comparison.confidence, 0.95) << "five pairs are five throws of a coin";
  EXPECT_EQ(machine_.started, before + 1);
}

TEST_F(Judging, ASmallDifferenceIsMeasuredInTwoPairsOfProcesses) {
  machine_.programs["candidate"] = {.run = twice, .takes = [] { return Nanoseconds(0.9e6); }};
  auto judge = this->judge();
  ASSERT_TRUE(judge.judge(variant("candidate")));
  const int before = machine_.started;
  ASSERT_TRUE(judge.confirm(variant("candidate"), variant("k0"), false));
  EXPECT_EQ(machine_.started, before + 3);
}

struct KeptFloor final : NoiseFloors {
  std::optional<double> known() override { return floor; }
  void keep(double measured) override {
    floor = measured;
    ++kept;
  }
  std::optional<double> floor;
  int kept = 0;
};

TEST_F(Judging, TheNoiseFloorIsMeasuredOnceWithASmallKernelAndKept) {
  machine_.programs[noise_mep(doubling()).source] = {};
  int runs_of_the_original = 0;
  machine_.programs["k0"].run = [&](Memory&, int) { ++runs_of_the_original; };
  KeptFloor floor;
  JudgePorts ports;
  ports.noise = &floor;
  EXPECT_NEAR(judge({}, ports).noise_floor().value(), 0, 1e-9);
  EXPECT_EQ(runs_of_the_original, 0);
  floor.floor = 0.02;
  EXPECT_DOUBLE_EQ(judge({}, ports).noise_floor().value(), 0.02);
  EXPECT_EQ(floor.kept, 1);
}

}  // namespace
}  // namespace hone::judge
