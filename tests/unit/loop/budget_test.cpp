// What a run does with its time, and why it ends.

#include "fakes.hpp"

namespace hone::loop {
namespace {

using test::template_of;
using LoopBudget = test::LoopTest;

std::vector<double> many(double from, double to) {
  std::vector<double> out;
  for (double t = from; t < to; t += 1) out.push_back(t);
  return out;
}

TEST_F(LoopBudget, ATemplatesDefaultIsItsFirstPoint) {
  auto proposed = template_of("a", {80, 50, 25});
  proposed.space.parameters.front().default_value = 25.0;
  proposer.rounds = {{proposed}};
  run();
  EXPECT_EQ(evaluator.screened.at(1), std::to_string(25.0));
}

TEST_F(LoopBudget, ADefaultOutsideTheConstraintsIsNotTried) {
  auto proposed = template_of("a", {80, 50});
  proposed.space.constraints = {{"small", *Expression::parse("T < 60")}};
  proposer.rounds = {{proposed}};
  run();
  EXPECT_EQ(evaluator.screened.at(1), std::to_string(50.0));
}

TEST_F(LoopBudget, EachTemplateHasOnePointBeforeAnyHasTwoAndTheirFirstPointsAreBuiltTogether) {
  proposer.rounds = {{template_of("a", {150, 140}), template_of("b", {160, 141}), template_of("c", {170, 142})}};
  run();
  const std::vector<std::string> first(evaluator.screened.begin() + 1, evaluator.screened.begin() + 4);
  EXPECT_EQ(first, (std::vector<std::string>{std::to_string(150.0), std::to_string(160.0), std::to_string(170.0)}));
  ASSERT_FALSE(evaluator.prepared.empty());
  EXPECT_EQ(evaluator.prepared.front(), first);
}

TEST_F(LoopBudget, HalvingComesAtOnceAndTheSlowerWaitForTheFaster) {
  proposer.rounds = {{template_of("slow", {150, 151, 152}), template_of("fast", {120, 121, 122})}};
  run();
  EXPECT_EQ(evaluator.screened.at(3), std::to_string(121.0));
  EXPECT_EQ(evaluator.screened.at(4), std::to_string(122.0));
}

TEST_F(LoopBudget, PreparingLargeDataLeavesTimeToSearch) {
  proposer.rounds = {{template_of("a", {50, 20})}};
  seconds(40, 35, 1);  // one look at the original is nearly all of it
  const auto outcome = run();
  EXPECT_GE(outcome.evaluations, 1U);
  EXPECT_EQ(outcome.winner.template_name, "a");
}

TEST_F(LoopBudget, NothingIsLeftUntriedWhileThereIsBudget) {
  options.candidates = 1;
  proposer.rounds = {{template_of("a", {150, 151}), template_of("b", {160, 161}), template_of("c", {170, 40})}};
  const auto outcome = run();
  EXPECT_EQ(outcome.winner.template_name, "c");
  EXPECT_EQ(outcome.evaluations, 6U + 1U) << "each point, and the leader once more before it is confirmed";
  EXPECT_EQ(outcome.ended, "nothing left to try");
}

TEST_F(LoopBudget, ARoundWithoutGainDoesNotEndTheRun) {
  proposer.rounds = {{template_of("a", {150})}, {template_of("b", {130})}, {template_of("c", {20})}};
  EXPECT_EQ(run().winner.template_name, "c");
}

TEST_F(LoopBudget, TimeThatARoundDoesNotNeedGoesToTheNext) {
  seconds(100, 1, 1);
  proposer.rounds = {{template_of("a", {150})}, {template_of("b", many(110, 500))}};
  const auto outcome = run();
  EXPECT_EQ(outcome.ended, "100 seconds");
  EXPECT_GE(outcome.evaluations, 65U) << "all but what is kept for a proof";
}

TEST_F(LoopBudget, AFirstWinIsProvenBeforeAnythingIsTuned) {
  seconds(100, 1, 5);
  proposer.rounds = {{template_of("a", many(50, 300)), template_of("b", many(60, 300))}};
  const auto outcome = run();
  EXPECT_EQ(evaluator.screens_before_the_first_confirmation, 1 + 2 + 1) << "K(0), a point each, the leader again";
  ASSERT_TRUE(outcome.first_proof);
  EXPECT_DOUBLE_EQ(outcome.first_proof->count(), 9);
}

TEST_F(LoopBudget, TheProofIsPaidFromTheBudget) {
  seconds(60, 1, 6);
  proposer.rounds = {{template_of("a", many(50, 300))}};
  const auto outcome = run();
  EXPECT_TRUE(outcome.proof);
  EXPECT_EQ(outcome.ended, "60 seconds");
  EXPECT_LE(outcome.took.count(), 60 + 6.0 / 2) << "to less than half a proof";
}

TEST_F(LoopBudget, NoSecondProofIsBegunThatGoesFarBeyondTheBudget) {
  seconds(30, 1, 12);
  auto slow_then_fast = template_of("a", {80, 40, 20});
  proposer.rounds = {{slow_then_fast}};
  const auto outcome = run();
  ASSERT_TRUE(outcome.proof);
  EXPECT_EQ(evaluator.confirms, 2) << "the first win, and its proof; the better ones came too late";
  EXPECT_LE(outcome.took.count(), 30 + 15);
}

TEST_F(LoopBudget, FewerTemplatesAreAskedForWhenLooksAreDear) {
  options.candidates = 8;
  seconds(60, 10, 1);
  run();
  EXPECT_EQ(proposer.contexts.at(0).limit, 1U);
  EXPECT_LT(evaluator.screens, 8);
}

TEST_F(LoopBudget, ALeaderAsGoodAsTheDeviceAllowsEndsTheRun) {
  options.least = {{"tune", Nanoseconds(49e6)}};
  proposer.rounds = {{template_of("a", many(50, 120))}};
  const auto outcome = run();
  EXPECT_EQ(outcome.ended, "98% of the least possible time");
  EXPECT_LT(evaluator.screens, 10);
  EXPECT_NEAR(outcome.attempts.at(0).of_least, 0.98, 0.001);
}

TEST_F(LoopBudget, ALeastTimeThatIsBeatenIsNone) {
  options.least = {{"tune", Nanoseconds(80e6)}};
  proposer.rounds = {{template_of("a", many(50, 80))}};
  EXPECT_EQ(run().ended, "nothing left to try");
}

TEST_F(LoopBudget, ASearchThatPromisesNothingForThreeRoundsEnds) {
  options.strategy = "adaptive";
  options.budget.evaluations = 100000;
  std::vector<double> flat;
  for (int i = 0; i < 3000; ++i) flat.push_back(110 + 1e-6 * i);
  proposer.rounds = {{template_of("a", flat)}};
  const auto outcome = run();
  EXPECT_EQ(outcome.ended, "less than 1.0% expected of more trials");
  EXPECT_LT(outcome.evaluations, 200U);
  EXPECT_GE(outcome.evaluations, 24U);
}

TEST_F(LoopBudget, AllTimeIsAccountedFor) {
  seconds(30, 1, 4);
  proposer.thinks = [this] { clock += Seconds(2); };
  proposer.rounds = {{template_of("a", many(50, 300))}};
  const auto outcome = run();
  const auto spent = ledger.so_far();
  EXPECT_DOUBLE_EQ(spent.total().count(), outcome.took.count());
  EXPECT_DOUBLE_EQ(spent.on(Purpose::Preparing).count(), 1);
  EXPECT_DOUBLE_EQ(spent.on(Purpose::Confirming).count(), 4.0 * evaluator.confirms);
  EXPECT_DOUBLE_EQ(spent.on(Purpose::Screening).count(), evaluator.screens - 1.0);
  EXPECT_DOUBLE_EQ(spent.on(Purpose::Proposing).count(), 2.0 * static_cast<double>(proposer.contexts.size()));
}

}  // namespace
}  // namespace hone::loop
