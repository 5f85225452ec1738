// A call can be clear long before its figure is: what is claimed against the original is measured on, what only
// decides between two candidates is not.

#include <gtest/gtest.h>

#include "fake_session.hpp"
#include "judge/judge.hpp"

namespace hone::judge {
namespace {

/// Ten times as fast as K(0) or fourteen times, by the machine's mood.
class RestlessChallenger : public testing::Test {
 protected:
  RestlessChallenger() {
    machine_.programs["k0"] = {.run = twice, .takes = [] { return Nanoseconds(140e6); }};
    machine_.programs["slow"] = machine_.programs["k0"];
    machine_.programs["fast"] = {.run = twice,
                                 .takes = [this] { return Nanoseconds(++calls_ / 3 % 2 == 0 ? 10e6 : 14e6); }};
  }
  Comparison against(const std::string& incumbent, double within) {
    JudgeOptions options;
    options.claim_within = within;
    Judge judge(doubling(), sessions_, options, {});
    return judge.confirm(variant("fast"), variant(incumbent), false)->comparison;
  }
  int calls_ = 0;
  FakeMachine machine_;
  FakeSessions sessions_{machine_};
};

TEST_F(RestlessChallenger, IsMeasuredOnAgainstTheOriginalThoughTheCallIsClear) {
  const auto claim = against("k0", 1.1);
  EXPECT_EQ(claim.call, Comparison::Call::Faster);
  EXPECT_GE(claim.pairs, 12U);
  EXPECT_EQ(claim.confidence, 0.99);
}

TEST_F(RestlessChallenger, IsNotMeasuredOnAgainstAnotherIncumbentOrWhereNobodyAsks) {
  EXPECT_EQ(against("slow", 1.1).pairs, 5U);
  EXPECT_EQ(against("k0", 0).pairs, 5U);
}

TEST(Statistics, AFigureIsRoughOnlyWhereTheCallIsClear) {
  const Comparison wide{Comparison::Call::Faster, 40, 30, 50, 0.94, 5},
      narrow{Comparison::Call::Faster, 40, 39, 41, 0.99, 12};
  const Comparison unclear{Comparison::Call::Unclear, 1.1, 0.9, 1.3, 0.99, 12};
  EXPECT_TRUE(is_rough(wide, 1.1));
  EXPECT_FALSE(is_rough(wide, 0));
  EXPECT_FALSE(is_rough(narrow, 1.1));
  EXPECT_FALSE(is_rough(unclear, 1.1));
}

}  // namespace
}  // namespace hone::judge
