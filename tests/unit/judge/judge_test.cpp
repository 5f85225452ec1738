// What a candidate must pass: each way of being wrong, and the defence that finds it.

#include <algorithm>
#include <cmath>
#include <set>

#include "judge/drawn_size.hpp"
#include "judging.hpp"

namespace hone::judge {
namespace {

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

/// Twice, and so much more.
FakeProgram off_by(float factor) {
  return {.run = [factor](Memory& memory, int n) {
    twice(memory, n);
    for (auto& value : memory["out"]) value *= 1 + factor;
  }};
}

TEST_F(Judging, LessPrecisionThanTheOriginalIsWrong) {
  machine_.programs["precise"] = {.run = twice};
  machine_.programs["candidate"] = off_by(3e-5F);
  JudgePorts ports;
  ports.precise = variant("precise");
  EXPECT_EQ(defence_of(judge({}, ports).judge(variant("candidate"))->verdict), "precision");
  EXPECT_EQ(name_of(judge().judge(variant("candidate"))->verdict), "Timed");
}

TEST_F(Judging, WhatIsAsNearToTheExactAnswerAsTheOriginalIsNotWrong) {
  machine_.programs["k0"] = off_by(2e-4F);
  machine_.programs["precise"] = {.run = twice};
  machine_.programs["candidate"] = off_by(-2e-4F);
  machine_.programs["farther"] = off_by(-2e-3F);
  JudgePorts ports;
  ports.precise = variant("precise");
  EXPECT_EQ(name_of(judge().screen(variant("candidate"), {})->verdict), "WrongOutput");
  EXPECT_EQ(name_of(judge({}, ports).screen(variant("candidate"), {})->verdict), "Timed");
  EXPECT_EQ(name_of(judge({}, ports).judge(variant("candidate"))->verdict), "Timed");
  EXPECT_EQ(name_of(judge({}, ports).judge(variant("farther"))->verdict), "WrongOutput");
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

TEST_F(Judging, WhatIsAssumedOfContentsAtTheTunedSizeOnlyIsFoundByOtherContents) {
  const auto judgement = judged(right_when([](const Memory& memory, int n) {
    return n != 64 || std::ranges::all_of(memory.at("in"), [](float x) { return std::abs(x) <= 1; });
  }));
  EXPECT_EQ(defence_of(judgement.verdict), "other-contents");
}

TEST_F(Judging, WorkSkippedWhereAnOutputLooksLikeAResultIsFoundByOldResults) {
  const auto judgement = judged(right_when([](const Memory& memory, int n) {
    return n != 64 || std::abs(memory.at("out")[0]) > 4;  // the poison is huge, results are not
  }));
  EXPECT_EQ(defence_of(judgement.verdict), "old-results");
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

}  // namespace
}  // namespace hone::judge
