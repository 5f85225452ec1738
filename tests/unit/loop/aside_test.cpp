// A model that is asked elsewhere, while the rules' templates are being tuned.

#include <future>
#include <thread>

#include "fakes.hpp"

namespace hone::loop {
namespace {

struct AskedAside : test::LoopTest {
  Aside aside;
  test::FakeProposer model;
  std::promise<void> answer;
  std::shared_future<void> answered = answer.get_future().share();
  bool given = false;

  AskedAside() {
    model.one_by_one = model.elsewhere = true;
    model.thinks = [this] {
      aside.beside([this] {
        answered.wait();
        return 0;
      });
    };
    options.candidates = 1;
  }
  /// The answer is there once so many variants were measured: what it waits for is measured without it.
  void answers_after(int screens) {
    const auto spend = evaluator.spend;
    evaluator.spend = [this, spend, screens](Seconds cost) {
      spend(cost);
      if (evaluator.screens < screens) return;
      give();
      while (!aside.is_ready()) std::this_thread::yield();
    };
  }
  void give() {
    if (!std::exchange(given, true)) answer.set_value();
  }
  Outcome run_aside() {
    auto outside = ports();
    outside.proposers = {&model, &proposer};
    outside.aside = &aside;
    outside.leave = [this] { give(); };
    auto outcome = improve(mep, options, outside);
    EXPECT_TRUE(outcome) << outcome.error().text();
    return *outcome;
  }
};

TEST_F(AskedAside, WhileTheOthersTemplatesAreTunedAndItsAnswerIsTriedInBetween) {
  proposer.rounds = {{test::template_of("rules", {90, 80, 70, 60, 50, 55, 56, 57, 58, 59})}};
  model.answers = {{test::template_of("model", {40})}};
  answers_after(5);
  const auto outcome = run_aside();
  EXPECT_EQ(outcome.winner.template_name, "model");
  const auto place = [&](double time) {
    return std::ranges::find(evaluator.screened, std::to_string(time)) - evaluator.screened.begin();
  };
  EXPECT_GE(place(40), 5);
  EXPECT_LT(place(40), place(59)) << "the rules' search went on after it";
}

TEST_F(AskedAside, IsWaitedForAtTheEndOfTheRoundAndThatTakesNothingFromTheSearch) {
  seconds(100, 1, 1);
  proposer.rounds = {{test::template_of("rules", {90, 80})}};
  model.answers = {{test::template_of("model", {40, 30, 20})}};
  model.thinks = [this] {
    aside.beside([] { return 0; });
    clock += Seconds(1000);
  };
  EXPECT_EQ(run_aside().winner.template_name, "model");
  EXPECT_NE(std::ranges::find(evaluator.screened, std::to_string(20.0)), evaluator.screened.end());
}

TEST_F(AskedAside, WhatFailsGoesBackWithoutAHaltOfTheOthers) {
  proposer.rounds = {{test::template_of("rules", {90, 80, 70, 60, 50, 55, 56, 57, 58, 59})}};
  model.answers = {{test::template_of("broken", {0})}};
  model.remedy = test::template_of("mended", {40});
  answers_after(3);
  EXPECT_EQ(run_aside().winner.template_name, "mended");
  ASSERT_EQ(model.faults.size(), 1U);
  EXPECT_EQ(model.faults[0].proposed.name, "broken");
}

TEST_F(AskedAside, ACandidateOfItsOwnIsSeenByTheNextQuestion) {
  options.candidates = 2;
  proposer.rounds = {{test::template_of("rules", {90, 80, 70, 60})}};
  model.answers = {{test::template_of("first", {50})}, {test::template_of("second", {45})}};
  answers_after(2);
  run_aside();
  ASSERT_GE(model.contexts.size(), 2U);
  EXPECT_EQ(model.contexts[1].slot, 2U);
  EXPECT_TRUE(
      std::ranges::any_of(model.contexts[1].tried, [](const Attempt& a) { return a.template_name == "first"; }));
}

TEST_F(AskedAside, AnInterruptIsHeardWhileItThinksAndWhatIsProvenIsKept) {
  proposer.rounds = {{test::template_of("rules", {50})}};
  model.answers = {{test::template_of("model", {40})}};
  const auto spend = evaluator.spend;
  evaluator.spend = [this, spend](Seconds cost) {
    spend(cost);
    if (evaluator.confirms == 1) stopped = true;
  };
  const auto outcome = run_aside();
  EXPECT_TRUE(outcome.interrupted);
  EXPECT_EQ(outcome.winner.template_name, "rules");
  EXPECT_TRUE(given) << "it was told that nobody waits any more";
}

TEST_F(AskedAside, ARunThatEndsFirstLeavesIt) {
  mep.workloads.resize(1);
  options.least["tune"] = Nanoseconds(50e6);
  proposer.rounds = {{test::template_of("rules", {50})}};
  model.answers = {{test::template_of("model", {40})}};
  const auto outcome = run_aside();
  EXPECT_EQ(outcome.ended, "100% of the least possible time");
  EXPECT_TRUE(given);
}

TEST_F(AskedAside, ARepairWantedInAClaimIsAskedForToo) {
  options.candidates = 1;
  proposer.rounds = {{}, {test::template_of("rules", {90, 80})}};
  evaluator.wrong_elsewhere = {std::to_string(40.0)};
  model.answers = {{test::template_of("wrong", {40})}, {test::template_of("other", {45})}};
  model.remedy = test::template_of("mended", {41});
  give();
  EXPECT_EQ(run_aside().winner.template_name, "mended");
}

TEST_F(AskedAside, TheLastRoundIsTunedToo) {
  options.rounds = 1;
  give();
  proposer.rounds = {{test::template_of("rules", {90, 80, 70})}};
  EXPECT_NEAR(run_aside().winner.speedup, 100.0 / 70, 0.01);
}

}  // namespace
}  // namespace hone::loop
