#include "judge/judge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "fake_session.hpp"
#include "judge/clocks.hpp"
#include "judge/drawn_size.hpp"
#include "judge/noise_floor.hpp"

namespace hone::judge {
namespace {

class Judging : public testing::Test {
 protected:
  Judging() { machine_.programs["k0"] = {.run = twice}; }
  Judge judge(JudgeOptions options = {}, JudgePorts ports = {}) {
    return Judge(doubling(), sessions_, options, std::move(ports));
  }
  Judgement judged(const FakeProgram& program, JudgeOptions options = {}) {
    machine_.programs["candidate"] = program;
    return judge(options).judge(variant("candidate")).value();
  }
  FakeMachine machine_;
  FakeSessions sessions_{machine_};
};

/// Right only where `right` says so.
FakeProgram right_when(std::function<bool(const Memory&, int)> right) {
  return {.run = [right = std::move(right)](Memory& memory, int n) {
    if (right(memory, n)) twice(memory, n);
  }};
}

TEST_F(Judging, ARightCandidateIsTimedWithThirtyRuns) {
  const auto judgement = judged({.run = twice});
  EXPECT_EQ(name_of(judgement.verdict), "Timed");
  EXPECT_EQ(std::get<Timed>(judgement.verdict).span.size(), 30U);
}

TEST_F(Judging, SkippedWorkIsFoundByThePoison) {
  const auto judgement = judged({.run = [](Memory& memory, int n) {
    for (int i = 0; i + 1 < n; ++i) memory["out"][i] = 2 * memory["in"][i];
  }});
  EXPECT_EQ(name_of(judgement.verdict), "WrongOutput");
}

TEST_F(Judging, RightOnlyAtTheTunedSizeIsFoundByTheAwkwardOne) {
  const auto judgement = judged(right_when([](const Memory&, int n) { return n == 64; }));
  EXPECT_EQ(defence_of(judgement.verdict), "awkward-size");
}

TEST_F(Judging, HeldOutFailuresAreToldWithoutValues) {
  const auto judgement = judged(right_when([](const Memory&, int n) { return n != 96; }));
  EXPECT_EQ(defence_of(judgement.verdict), "held-out");
  EXPECT_EQ(reason_of(judgement.verdict).find('['), std::string::npos);
}

TEST_F(Judging, RightAtEverySizeOfTheMepAloneIsFoundByOneDrawnAfterwards) {
  std::set<int> declared;
  for (const auto& workload : doubling().workloads)
    declared.insert(static_cast<int>(std::get<std::int64_t>(workload.scalars.at("n"))));
  const auto judgement = judged(right_when([&](const Memory&, int n) { return declared.contains(n); }));
  EXPECT_EQ(defence_of(judgement.verdict), "held-out");
  EXPECT_EQ(reason_of(judgement.verdict).find('['), std::string::npos);
}

TEST_F(Judging, WhatDoesNotFitAHeldOutSizeIsToldWithoutTheSize) {
  machine_.programs["candidate"] = {.run = twice};
  auto candidate = variant("candidate");
  candidate.launches = {
      {"twice", {Expression::parse("n").value()}, {Expression::parse("1 + 0 * (n // (n - 96))").value()}}};
  const auto judgement = judge().judge(candidate).value();
  EXPECT_EQ(name_of(judgement.verdict), "Infeasible");
  EXPECT_EQ(reason_of(judgement.verdict), "does not fit a held-out workload");
}

TEST_F(Judging, ASentenceAboutTheDrawnSizeCanBeToldWithoutIt) {
  const auto judgement = judged({.run = twice});
  const auto line = std::ranges::find_if(judgement.checks,
                                         [](const std::string& one) { return told_of_drawn_size(one).has_value(); });
  ASSERT_NE(line, judgement.checks.end());
  EXPECT_EQ(told_of_drawn_size(*line)->find("n ="), std::string_view::npos);
  EXPECT_FALSE(told_of_drawn_size(judgement.checks.front()));
}

TEST_F(Judging, TheDrawnSizeIsAmongTheChecks) {
  const auto judgement = judged({.run = twice});
  EXPECT_TRUE(std::ranges::any_of(judgement.checks, [](const std::string& check) {
    return check.starts_with("outputs at a size drawn after the candidate was made: n = ");
  }));
}

TEST_F(Judging, RightOnlyForTheFirstContentsIsFoundByOtherSeeds) {
  float first = NAN;
  const auto judgement = judged(right_when([&first](const Memory& memory, int n) {
    if (n != 64) return true;
    if (std::isnan(first)) first = memory.at("in")[0];
    return memory.at("in")[0] == first;
  }));
  EXPECT_EQ(defence_of(judgement.verdict), "several-seeds");
}

TEST_F(Judging, RightOnlyAtTheFirstRunIsFoundByRepeating) {
  int runs = 0;
  const auto judgement = judged(right_when([&runs](const Memory&, int n) { return n != 64 || ++runs == 1; }));
  EXPECT_EQ(defence_of(judgement.verdict), "repeated-runs");
}

TEST_F(Judging, WrongOnlyWhileTimedIsFoundAfterwards) {
  int runs = 0;
  const auto judgement = judged(right_when([&runs](const Memory&, int n) { return n != 64 || ++runs < 20; }));
  EXPECT_EQ(defence_of(judgement.verdict), "outputs-after-timing");
}

TEST_F(Judging, ChangedInputsAreUnsafe) {
  const auto judgement = judged({.run = [](Memory& memory, int n) {
    twice(memory, n);
    memory["in"][0] = 7;
  }});
  EXPECT_EQ(name_of(judgement.verdict), "Unsafe");
  EXPECT_EQ(defence_of(judgement.verdict), "inputs-unchanged");
}

TEST_F(Judging, BrokenGuardsAreUnsafeAndTheProcessIsReplaced) {
  machine_.programs["candidate"] = {.run = twice, .broken_guard = "out"};
  auto judge = this->judge();
  EXPECT_EQ(defence_of(judge.judge(variant("candidate"))->verdict), "guard-zones");
  const int before = machine_.started;
  machine_.programs["good"] = {.run = twice};
  EXPECT_EQ(name_of(judge.judge(variant("good"))->verdict), "Timed");
  EXPECT_EQ(machine_.started, before + 1);
}

TEST_F(Judging, ACrashIsBelievedTheSecondTime) {
  machine_.programs["candidate"] = {.run = twice};
  auto judge = this->judge();
  ASSERT_TRUE(judge.judge(variant("k0")));
  machine_.lost_from_outside = 1;
  EXPECT_EQ(name_of(judge.judge(variant("candidate"))->verdict), "Timed");
  machine_.lost_from_outside = 2;
  EXPECT_EQ(name_of(judge.judge(variant("candidate"))->verdict), "Crashed");
  machine_.lost_from_outside = 0;
  EXPECT_EQ(name_of(judge.judge(variant("candidate"))->verdict), "Timed");
}

TEST_F(Judging, AHangIsATimeOut) {
  EXPECT_EQ(name_of(judged({.dies = WorkerLost{WorkerLost::Cause::TimedOut, "60 s"}}).verdict), "TimedOut");
}

TEST_F(Judging, WhatDoesNotBuildIsAVerdict) {
  EXPECT_EQ(name_of(judge().judge(variant("unknown"))->verdict), "BuildFailed");
}

TEST_F(Judging, AWorkerThatBuiltSomethingElseIsUnsafe) {
  EXPECT_EQ(defence_of(judged({.run = twice, .other_hash = true}).verdict), "source-hash");
}

TEST_F(Judging, ANondeterministicOriginalIsRefused) {
  int runs = 0;
  machine_.programs["k0"] = {.run = [&runs](Memory& memory, int n) {
    twice(memory, n);
    memory["out"][0] = static_cast<float>(++runs);
  }};
  const auto refused = judge().judge(variant("k0"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), "E-NONDETERMINISTIC");
}

TEST_F(Judging, TheSpreadOfTheOriginalIsTolerated) {
  int runs = 0;
  machine_.programs["k0"] = {.run = [&runs](Memory& memory, int n) {
    twice(memory, n);
    memory["out"][0] *= 1 + 1e-5F * static_cast<float>(++runs % 2);
  }};
  auto judge = this->judge();
  EXPECT_EQ(name_of(judge.judge(variant("k0"))->verdict), "Timed");
  ASSERT_FALSE(judge.notes().empty());
  EXPECT_NE(judge.notes()[0].find("not deterministic"), std::string::npos);
}

/// So many nanoseconds for each byte; `now` when it is measured again.
struct Slow final : SpeedLimit {
  explicit Slow(double known, double measured) : per_byte(known), now(measured) {}
  std::optional<Nanoseconds> least_time(Bytes moved) override {
    return Nanoseconds(static_cast<double>(moved.count) * per_byte);
  }
  std::optional<Nanoseconds> least_time_now(Bytes moved) override {
    return Nanoseconds(static_cast<double>(moved.count) * now);
  }
  double per_byte, now;
};

TEST_F(Judging, ATimeBelowTheCompulsoryTrafficIsUnsafe) {
  // 256 bytes are written and half of 256 bytes surely read: 384 bytes, in twice 1 ms at most.
  machine_.programs["candidate"] = {.run = twice};
  Slow limit(6000, 6000);
  JudgePorts ports;
  ports.speed = &limit;
  EXPECT_EQ(defence_of(judge({}, ports).judge(variant("candidate"))->verdict), "impossible-time");
}

TEST_F(Judging, ALimitThatWasMeasuredOnABusyMachineIsMeasuredAgain) {
  machine_.programs["candidate"] = {.run = twice};
  Slow limit(6000, 5000);
  JudgePorts ports;
  ports.speed = &limit;
  EXPECT_EQ(name_of(judge({}, ports).judge(variant("candidate"))->verdict), "Timed");
}

TEST_F(Judging, InputsThatDoNotMatterNeedNotBeRead) {
  const auto first_only = [](Memory& memory, int) { std::ranges::fill(memory["out"], memory["in"][0]); };
  machine_.programs["k0"] = {.run = first_only};
  machine_.programs["candidate"] = {.run = first_only};
  Slow limit(6000, 6000);  // 384 bytes would take longer than twice 1 ms, the 256 written ones do not
  JudgePorts ports;
  ports.speed = &limit;
  EXPECT_EQ(name_of(judge({}, ports).judge(variant("candidate"))->verdict), "Timed");
}

TEST_F(Judging, LessPrecisionThanTheOriginalIsWrong) {
  machine_.programs["precise"] = {.run = twice};
  machine_.programs["candidate"] = {.run = [](Memory& memory, int n) {
    twice(memory, n);
    for (auto& value : memory["out"]) value *= 1 + 3e-5F;
  }};
  JudgePorts ports;
  ports.precise = variant("precise");
  EXPECT_EQ(defence_of(judge({}, ports).judge(variant("candidate"))->verdict), "precision");
  EXPECT_EQ(name_of(judge().judge(variant("candidate"))->verdict), "Timed");
}

FakeProgram nearly_twice() {
  return {.run = [](Memory& memory, int n) {
    twice(memory, n);
    for (auto& value : memory["out"]) value = std::nextafter(value, 0.0F);
  }};
}

TEST_F(Judging, OutputsThatAreK0sToTheBitDoNotTravel) {
  EXPECT_EQ(name_of(judged({.run = twice}).verdict), "Timed");
  EXPECT_EQ(machine_.read, 0);
  EXPECT_EQ(name_of(judged(nearly_twice()).verdict), "Timed");
  EXPECT_GT(machine_.read, 0);
}

TEST_F(Judging, OutputsInAnyOrderAlwaysTravel) {
  auto mep = doubling();
  mep.check.unordered = {"out"};
  machine_.programs["candidate"] = {.run = [](Memory& memory, int n) {
    twice(memory, n);
    std::ranges::reverse(memory["out"]);
  }};
  EXPECT_EQ(name_of(Judge(mep, sessions_, {}, {}).judge(variant("candidate"))->verdict), "Timed");
}

TEST_F(Judging, DoublePrecisionIsAskedOnlyAboutWhatDiffers) {
  int asked = 0;
  machine_.programs["precise"] = {.run = [&asked](Memory& memory, int n) {
    ++asked;
    twice(memory, n);
  }};
  JudgePorts ports;
  ports.precise = variant("precise");
  machine_.programs["same"] = {.run = twice};
  machine_.programs["near"] = nearly_twice();
  EXPECT_EQ(name_of(judge({}, ports).judge(variant("same"))->verdict), "Timed");
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(name_of(judge({}, ports).judge(variant("near"))->verdict), "Timed");
  EXPECT_GT(asked, 0);
}

TEST_F(Judging, WhatK0AnswersAheadChangesNoVerdict) {
  JudgeOptions options;
  options.in_background = true;
  EXPECT_EQ(name_of(judged({.run = twice}, options).verdict), "Timed");
  EXPECT_EQ(name_of(judged(nearly_twice(), options).verdict), "Timed");
  EXPECT_EQ(defence_of(judged(right_when([](const Memory&, int n) { return n != 96; }), options).verdict), "held-out");
}

TEST_F(Judging, WorkSkippedWhereAnOutputLooksLikeAResultIsFoundByOldResults) {
  const auto judgement = judged(right_when([](const Memory& memory, int n) {
    return n != 64 || std::abs(memory.at("out")[0]) > 4;  // the poison is huge, results are not
  }));
  EXPECT_EQ(defence_of(judgement.verdict), "old-results");
}

TEST_F(Judging, AScreeningStopsEarlyWhenItIsHopeless) {
  machine_.programs["candidate"] = {.run = twice, .takes = [] { return Nanoseconds(2e6); }};
  const auto judgement = judge().screen(variant("candidate"), {{"tune", Nanoseconds(1e6)}});
  EXPECT_TRUE(judgement->censored);
  EXPECT_EQ(judgement->times.at("tune").span.size(), 1U);
}

TEST_F(Judging, WhatClearlyLosesCostsTheOneRunThatIsChecked) {
  machine_.programs["candidate"] = {.run = twice, .takes = [] { return Nanoseconds(9e6); }};
  const auto judgement = judge().screen(variant("candidate"), {{"tune", Nanoseconds(1e6)}});
  EXPECT_TRUE(judgement->censored);
  EXPECT_EQ(machine_.timed, 0);
  EXPECT_EQ(median(judgement->times.at("tune").span), Nanoseconds(9e6));
}

TEST_F(Judging, AScreeningTakesAFewRuns) {
  const auto judgement = judge().screen(variant("k0"), {{"tune", Nanoseconds(1e6)}});
  EXPECT_FALSE(judgement->censored);
  EXPECT_EQ(judgement->times.at("tune").span.size(), 3U);
}

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

TimesTaken visit_of(std::size_t runs, double sample, double wall, double cpu) {
  TimesTaken taken;
  taken.span.assign(runs, Nanoseconds(sample));
  taken.wall = Nanoseconds(wall);
  taken.cpu = Nanoseconds(cpu);
  return taken;
}

/// A pass claims 1 ms and restoring takes 1 ms. `wall` and `cpu`: what a run really costs, in ms, while restoring waits
/// for as long as `waiting`.
std::optional<std::string> doubted(double wall, double cpu, double waiting) {
  Clocks challenger, incumbent, restoring;
  for (const std::size_t runs : {10, 20, 10, 20}) {
    const auto n = static_cast<double>(runs + 1) * 1e6;
    challenger.saw(runs, visit_of(runs, 1e6, n * (1 + waiting + wall), n * (1 + cpu)));
    incumbent.saw(runs, visit_of(runs, 5e6, n * (1 + waiting + 5), n * (1 + 10)));
    restoring.saw(runs, visit_of(runs, 0, n * (1 + waiting), n));
  }
  return disagreement({challenger, incumbent, restoring, Nanoseconds(1e6), 10, 1, 2});
}

TEST(ClocksThatDisagree, AreBelievedOnAQuietMachine) {
  EXPECT_FALSE(doubted(1, 2, 0));
  EXPECT_TRUE(doubted(2, 2, 0));
  EXPECT_TRUE(doubted(8, 16, 0));
}

TEST(ClocksThatDisagree, LeaveItToTheProcessorTimeOnABusyOne) {
  EXPECT_FALSE(doubted(4, 2, 3)) << "a pass that waits three times as long as it runs";
  EXPECT_TRUE(doubted(9, 16, 3)) << "a pass that computes eight times as long as it claims";
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

TEST_F(Judging, AnOriginalThatAnswersAlikeIsNotAskedTwiceForEachSeed) {
  int runs = 0;
  machine_.programs["k0"].run = [&](Memory& memory, int n) {
    ++runs;
    twice(memory, n);
  };
  const auto mep = doubling();
  FakeSessions sessions(machine_);
  Reference reference(mep, sessions, std::nullopt, true);
  const auto* tune = find_workload(mep, Role::Tune);
  ASSERT_TRUE(reference.expected({tune, 1}));
  EXPECT_EQ(runs, 2) << "once, and once more to see whether it answers alike";
  ASSERT_TRUE(reference.expected({tune, 2}));
  EXPECT_EQ(runs, 3);
  ASSERT_TRUE(reference.expected({tune, 1, 2}));
  EXPECT_EQ(runs, 4) << "old results are those it is known to give";
}

struct Accepts final : OwnCheck {
  Result<std::optional<std::string>> refusal(const Outputs& expected, const Outputs& got,
                                             const std::map<std::string, Value>&) override {
    ++asked;
    return accepts(expected, got) ? std::optional<std::string>() : std::optional<std::string>("not to my liking");
  }
  std::function<bool(const Outputs&, const Outputs&)> accepts;
  int asked = 0;
};

TEST_F(Judging, APersonsOwnCheckStandsInThePlaceOfTheTypesRule) {
  Accepts own;
  own.accepts = [](const auto&, const auto&) { return true; };
  JudgePorts ports;
  ports.own_check = &own;
  machine_.programs["candidate"] = {.run = [](Memory& memory, int n) {
    twice(memory, n);
    for (auto& value : memory.at("out")) value *= 1.5F;
  }};
  EXPECT_EQ(name_of(judge().judge(variant("candidate"))->verdict), "WrongOutput");
  const auto judged = judge({}, ports).judge(variant("candidate"));
  ASSERT_TRUE(judged);
  EXPECT_EQ(name_of(judged->verdict), "Timed") << reason_of(judged->verdict);
  EXPECT_GT(own.asked, 0);

  own.accepts = [](const auto& expected, const auto& got) { return expected == got; };
  const auto refused = judge({}, ports).judge(variant("candidate"));
  EXPECT_EQ(name_of(refused->verdict), "WrongOutput");
  EXPECT_NE(reason_of(refused->verdict).find("not to my liking"), std::string::npos);

  own.accepts = [](const auto&, const auto&) { return false; };
  const auto broken = judge({}, ports).judge(variant("candidate"));
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code(), "E-CHECK");
}

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

TEST_F(Judging, TheHeadlineIsTheTuneWorkloadsRatioAndTheTimesAreItsOwn) {
  // Closer than a quarter, so that it is measured twice.
  machine_.programs["candidate"] = {.run = twice, .takes = [] { return Nanoseconds(0.9e6); }};
  int calls = 0;
  machine_.programs["k0"].takes = [&calls] { return Nanoseconds(++calls % 7 == 0 ? 1.03e6 : 1e6); };
  const auto proven = judge().confirm(variant("candidate"), variant("k0"), true);
  const auto& tune = proven->workloads.front().comparison;
  EXPECT_EQ(name_of(proven->comparison.call), "FASTER");
  EXPECT_DOUBLE_EQ(proven->comparison.ratio, tune.ratio);
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
