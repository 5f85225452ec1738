#include "loop/rounds.hpp"

#include "fakes.hpp"

namespace hone::loop {
namespace {

using test::template_of;
using Rounds = test::LoopTest;

TEST_F(Rounds, TheFastestConfigurationWinsAndIsProvenAgainstTheOriginal) {
  proposer.rounds = {{template_of("a", {50, 25, 80})}};
  const auto outcome = run();
  EXPECT_EQ(outcome.winner.template_name, "a");
  EXPECT_DOUBLE_EQ(outcome.winner.speedup, 4);
  ASSERT_TRUE(outcome.proof);
  EXPECT_EQ(evaluator.proofs, 1);
  EXPECT_EQ(log.recorded.size(), 2U) << "the first win, and what was better";
}

TEST_F(Rounds, TheOriginalStaysWhenNothingIsFaster) {
  proposer.rounds = {{template_of("a", {150})}};
  const auto outcome = run();
  EXPECT_EQ(outcome.winner.template_name, "");
  EXPECT_FALSE(outcome.proof);
  EXPECT_EQ(evaluator.confirms, 0);
  ASSERT_FALSE(outcome.reasons.empty());
  EXPECT_EQ(outcome.reasons.back(), "fake: lanes: stride is not one");
}

TEST_F(Rounds, ACandidateWrongOnOtherSizesIsRefusedAndTheNextBestTaken) {
  evaluator.wrong_elsewhere = {std::to_string(10.0)};
  proposer.rounds = {{template_of("a", {10, 40})}};
  const auto outcome = run();
  EXPECT_DOUBLE_EQ(outcome.winner.speedup, 2.5);
  EXPECT_EQ(proposer.faults.size(), 1U);
}

TEST_F(Rounds, ALaterRoundStartsFromTheIncumbentAndSpeedupsAreAgainstTheOriginal) {
  proposer.rounds = {{template_of("a", {50})}, {template_of("b", {20})}, {template_of("c", {30})}};
  const auto outcome = run();
  EXPECT_EQ(outcome.winner.template_name, "b");
  EXPECT_DOUBLE_EQ(outcome.winner.speedup, 5);
  ASSERT_GE(proposer.contexts.size(), 3U);
  EXPECT_EQ(proposer.contexts[1].incumbent.template_name, "a");
}

TEST_F(Rounds, ProposersNeverSeeHeldOutWorkloads) {
  proposer.rounds = {{template_of("a", {50})}};
  run();
  for (const auto& workload : proposer.contexts.at(0).mep.workloads) EXPECT_NE(workload.role, Role::HeldOut);
}

TEST_F(Rounds, AFaultyTemplateIsRepaired) {
  proposer.rounds = {{template_of("bad", {0})}};
  proposer.remedy = template_of("good", {50});
  const auto outcome = run();
  EXPECT_EQ(outcome.winner.template_name, "good");
  ASSERT_EQ(proposer.faults.size(), 1U);
  EXPECT_EQ(name_of(proposer.faults[0].verdict), "BuildFailed");
}

TEST_F(Rounds, ATemplateThatNeedsMoreThanTheDeviceHasGoesBackWithTheConstraint) {
  proposer.one_by_one = true;
  auto greedy = template_of("greedy", {50, 60});
  greedy.space.constraints = {{"fits", *Expression::parse("2 > 3")}};
  proposer.answers = {{greedy}};
  proposer.remedy = template_of("modest", {50});
  const auto outcome = run();
  ASSERT_EQ(proposer.faults.size(), 1U);
  EXPECT_NE(reason_of(proposer.faults[0].verdict).find("fits (2 > 3)"), std::string::npos);
  EXPECT_EQ(outcome.winner.template_name, "modest");
}

TEST_F(Rounds, AFaultAtSomePointsOnlyBecomesAConstraintAndNoRepair) {
  proposer.rounds = {{template_of("a", {0, 50, 60})}};
  const auto outcome = run();
  EXPECT_TRUE(proposer.faults.empty());
  EXPECT_EQ(outcome.winner.template_name, "a");
  ASSERT_EQ(outcome.winner_template.space.constraints.size(), 1U);
  EXPECT_EQ(outcome.winner_template.space.constraints.front().condition.print(), "not T == 0.0");
}

TEST_F(Rounds, WhatTheJudgeRefusesIsAConstraintOfTheWinner) {
  evaluator.wrong_elsewhere = {std::to_string(40.0)};
  proposer.rounds = {{template_of("a", {60, 40, 50})}};
  const auto outcome = run();
  EXPECT_EQ(std::get<double>(outcome.winner.configuration.at("T")), 50.0);
  ASSERT_EQ(outcome.winner_template.space.constraints.size(), 1U);
}

TEST_F(Rounds, OtherDefaultsOfATemplateArePointsOfItsSearchTriedBeforeTheNextQuestion) {
  proposer.one_by_one = true;
  options.candidates = 3;
  options.budget.evaluations = 6;
  auto seed = template_of("a", {90, 80, 70, 60});
  seed.space.parameters[0].default_value = 60.0;
  proposer.answers = {{template_of("a", {90, 80, 70, 60})}, {seed}, {}};
  const auto outcome = run();
  EXPECT_EQ(outcome.tuned.size(), 1U);
  ASSERT_GE(evaluator.screened.size(), 3U);
  EXPECT_EQ(evaluator.screened[2], std::to_string(60.0));
  ASSERT_GE(proposer.contexts.size(), 3U);
  EXPECT_NEAR(proposer.contexts[2].parents.at(0).time.count(), 60e6, 1);
}

TEST_F(Rounds, APointIsTriedAlsoWhereTheSearchHadGivenUp) {
  const std::vector<double> times = {-1, -2, -3, -4, -5, -6, -7, -8, -9, 50};
  auto seed = template_of("a", times);
  seed.space.parameters[0].default_value = 50.0;
  proposer.rounds = {{template_of("a", times)}, {seed}};
  EXPECT_EQ(run().winner.template_name, "a");
}

TEST_F(Rounds, AStepThatDeclinesMakesOnlyThatConfigurationInfeasible) {
  proposer.rounds = {{template_of("a", {-1, 50})}};
  EXPECT_EQ(run().winner.template_name, "a");
}

TEST_F(Rounds, TheBudgetIsNeverExceeded) {
  std::vector<double> many;
  for (int i = 1; i < 500; ++i) many.push_back(i);
  options.budget.evaluations = 30;
  proposer.rounds = {{template_of("a", many), template_of("b", many)}};
  run();
  EXPECT_LE(evaluator.screens, 30 + 1 + 3) << "the original, and the leader again before it is confirmed";
}

TEST_F(Rounds, ASlowProposerTakesNothingFromTheSearch) {
  options.budget = {};
  options.budget.seconds = Seconds(10);
  proposer.thinks = [this] { clock += Seconds(100); };
  proposer.rounds = {{template_of("broken", {0}), template_of("a", {50})}};
  proposer.remedy = template_of("mended", {25});
  const auto outcome = run();
  EXPECT_EQ(outcome.winner.template_name, "mended");
  EXPECT_GE(outcome.took.count(), 200) << "what it took is told whole";
}

TEST_F(Rounds, WhatTheLogKnowsIsNotScreenedAgain) {
  proposer.rounds = {{template_of("a", {50, 25, 80})}};
  run();
  const int first = evaluator.screens;
  proposer.contexts.clear();
  const auto outcome = run();
  EXPECT_EQ(evaluator.screens, first);
  EXPECT_DOUBLE_EQ(outcome.winner.speedup, 4);
}

TEST_F(Rounds, AStopEndsWithAResumableState) {
  stopped = true;
  proposer.rounds = {{template_of("a", {50})}};
  const auto outcome = run();
  EXPECT_TRUE(outcome.interrupted);
  EXPECT_FALSE(outcome.proof);
}

TEST_F(Rounds, AnOriginalThatFailsIsAnError) {
  mep.source = "broken";
  const auto outcome = improve(mep, options, ports());
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), "E-ORIGINAL");
}

TEST_F(Rounds, AProofThatDoesNotHoldLeavesTheWinnerBeforeIt) {
  evaluator.wrong_in_the_end = {std::to_string(10.0)};
  proposer.rounds = {{template_of("a", {50})}, {template_of("b", {10})}};
  const auto outcome = run();
  EXPECT_EQ(outcome.winner.template_name, "a");
  EXPECT_DOUBLE_EQ(outcome.winner.speedup, 2);
  EXPECT_TRUE(outcome.proof);
}

TEST_F(Rounds, SuggestionsAreThoseOfTheIncumbent) {
  proposer.rounds = {{template_of("a", {50})}, {template_of("b", {20})}};
  run();
  ASSERT_GE(proposer.contexts.size(), 2U);
  EXPECT_EQ(proposer.contexts[0].suggestions.at(0).target, "100");
  EXPECT_EQ(proposer.contexts[1].suggestions.at(0).target, std::to_string(50.0));
  EXPECT_EQ(proposer.contexts[1].profile.access_patterns, std::vector<std::string>{"c moves by 1"});
}

TEST_F(Rounds, WhatPaidMostIsShownFirst) {
  for (const double low : {1.1, 9.0, 2.0}) {
    Pattern pattern;
    pattern.change = std::to_string(low);
    pattern.ratio = pattern.low = pattern.high = low;
    log.recorded.push_back(pattern);
  }
  proposer.rounds = {{template_of("a", {50})}};
  run();
  const auto& shown = proposer.contexts.at(0).patterns;
  ASSERT_EQ(shown.size(), 3U);
  EXPECT_EQ(shown.front().change, std::to_string(9.0));
}

TEST_F(Rounds, ATemplateIsMendedSoManyTimesWhereverItsFaultsShow) {
  // Faults when it is looked at, and faults when it is confirmed, count together; and for each template by itself.
  evaluator.wrong_elsewhere = {std::to_string(10.0), std::to_string(11.0), std::to_string(12.0)};
  int answers = 0;
  proposer.mends = [&](const Fault& fault) {
    auto next = template_of(fault.proposed.name + "'", {10.0 + answers % 3});
    next.options = {std::to_string(answers++)};
    return std::optional(next);
  };
  proposer.rounds = {{template_of("a", {0})}, {template_of("b", {0, 0})}};
  run();
  std::map<char, int> mended;
  for (const auto& fault : proposer.faults) ++mended[fault.proposed.name.front()];
  EXPECT_EQ(mended['a'], options.repairs);
  EXPECT_EQ(mended['b'], options.repairs);
}

TEST_F(Rounds, AProposerThatLearnsSeesEachAnswerTriedBeforeTheNextQuestion) {
  proposer.one_by_one = true;
  options.candidates = 3;
  proposer.answers = {{template_of("a", {50})}, {template_of("b", {40})}, {template_of("c", {150})}};
  run();
  ASSERT_GE(proposer.contexts.size(), 3U);
  EXPECT_TRUE(proposer.contexts[0].tried.empty());
  ASSERT_EQ(proposer.contexts[1].tried.size(), 1U);
  EXPECT_NEAR(proposer.contexts[1].tried[0].time.count(), 50e6, 1);
  ASSERT_EQ(proposer.contexts[2].tried.size(), 2U);
  EXPECT_EQ(proposer.contexts[2].slot, 3U);
  EXPECT_EQ(proposer.contexts[2].limit, 1U);
}

TEST_F(Rounds, WhoeverProposesIsToldTheParentsWithTheirTimesAndTheOneBaseline) {
  proposer.one_by_one = true;
  options.candidates = 1;
  proposer.answers = {{template_of("a", {50, 60, 80})}, {template_of("b", {40})}, {}};
  run();
  ASSERT_GE(proposer.contexts.size(), 3U);
  const auto& known = proposer.contexts[2];
  EXPECT_NEAR(known.original_time.count(), 100e6, 1);
  ASSERT_EQ(known.parents.size(), 2U);
  EXPECT_EQ(known.parents[0].made_of.name, "b");
  EXPECT_TRUE(known.parents[0].is_incumbent);
  EXPECT_NEAR(known.parents[1].time.count(), 50e6, 1);
  EXPECT_EQ(known.parents[1].learned.back(), "T is best at the first of its values, 50.0");
  EXPECT_FALSE(known.budget_left.empty());
}

TEST_F(Rounds, ARoundWhoseAnswersFailDoesNotEndTheRunWhileTheProposerHasMore) {
  proposer.one_by_one = true;
  options.candidates = 1;
  proposer.answers = {{}, {template_of("broken", {0})}, {template_of("a", {50})}};
  EXPECT_EQ(run().winner.template_name, "a");
}

TEST_F(Rounds, ATemplateThatCannotBeSearchedGoesBackWithTheReason) {
  proposer.one_by_one = true;
  auto unknown = template_of("unknown", {50});
  unknown.space.constraints = {{"fits", *Expression::parse("WG <= 4")}};
  proposer.answers = {{unknown}};
  proposer.remedy = template_of("mended", {50});
  EXPECT_EQ(run().winner.template_name, "mended");
  ASSERT_EQ(proposer.faults.size(), 1U);
  EXPECT_NE(reason_of(proposer.faults[0].verdict).find("'WG' is neither"), std::string::npos);
}

}  // namespace
}  // namespace hone::loop
