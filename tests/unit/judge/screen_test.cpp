// The quick look that a search takes at every candidate.

#include "judging.hpp"

namespace hone::judge {
namespace {

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

}  // namespace
}  // namespace hone::judge
