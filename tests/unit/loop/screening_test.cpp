// A look that ended early: what was not measured has no number, neither now nor when the run is resumed.

#include "loop/screening.hpp"

#include "fakes.hpp"

namespace hone::loop {
namespace {

using test::template_of;

struct Screening : test::LoopTest {
  Screening() {
    evaluator.workloads = {"large", "small"};
    evaluator.censors = true;
    mep.workloads = {{"large", Role::Tune, {}, {}}, {"small", Role::Tune, {}, {}}};
    proposer.rounds = {{template_of("a", {400})}};
  }
  std::size_t logged_for(const std::string& workload) const {
    return static_cast<std::size_t>(std::ranges::count_if(log.all, [&](const LoggedTrial& logged) {
      return logged.trial.workload == workload && logged.trial.proposer == "fake";
    }));
  }
};

TEST_F(Screening, AWorkloadThatWasNotReachedIsNotLogged) {
  run();
  EXPECT_EQ(logged_for("large"), 1U);
  EXPECT_EQ(logged_for("small"), 0U);
  for (const auto& logged : log.all) EXPECT_FALSE(std::get<Timed>(logged.trial.verdict).span.empty());
}

TEST_F(Screening, WhatASearchIsToldOfItIsABoundOnWhatWasMeasured) {
  const auto outcome = run();
  const auto& searched = outcome.tuned.at(0);
  EXPECT_EQ(searched.told.at(0).outcome.kind, search::Outcome::Kind::Censored);
  EXPECT_NEAR(searched.told.at(0).outcome.value, 200e6, 1) << "four times on one, no better than K(0) on the other";
  ASSERT_EQ(searched.by_workload.at(0).size(), 1U);
  EXPECT_TRUE(searched.by_workload.at(0).contains("large"));
}

TEST_F(Screening, AResumedRunStillKnowsThatItWasCensored) {
  run();
  const int screens = evaluator.screens;
  const auto again = run();
  EXPECT_EQ(evaluator.screens, screens);
  EXPECT_EQ(again.tuned.at(0).told.at(0).outcome.kind, search::Outcome::Kind::Censored);
  EXPECT_EQ(again.winner.template_name, "");
}

TEST_F(Screening, ATimeWithoutSamplesInAnOlderLogIsNoTime) {
  evaluator.censors = false;
  const Variant variant{mep.language, std::to_string(400.0), {}, {}};
  Trial trial;
  for (const auto* workload : {"large", "small"}) {
    trial.workload = workload;
    trial.verdict = Timed{};
    (void)log.append(trial, {hash_of(variant), "", std::string("/") + workload, "fake", "1", "screen-1"});
  }
  const auto outcome = run();
  EXPECT_EQ(evaluator.screened.back(), std::to_string(400.0)) << "measured, since nothing was known";
  EXPECT_NEAR(outcome.tuned.at(0).told.at(0).outcome.value, 400e6, 1) << "and told as what was measured";
}

}  // namespace
}  // namespace hone::loop
