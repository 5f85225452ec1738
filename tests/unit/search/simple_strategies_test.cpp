#include <gtest/gtest.h>

#include <set>

#include "search/strategy.hpp"
#include "spaces.hpp"

namespace hone::search {
namespace {

TEST(SimpleStrategies, AskEveryPointOnceAndThenStop) {
  for (const std::string name : {"exhaustive", "random"}) {
    auto strategy = make_strategy(name, block_space(), {}).value();
    std::set<std::string> seen;
    while (const auto configuration = strategy->ask()) {
      EXPECT_TRUE(seen.insert(print(*configuration)).second);
      strategy->tell(*configuration, Outcome::measured(1));
    }
    EXPECT_EQ(seen.size(), count_valid(block_space())) << name;
  }
}

TEST(SimpleStrategies, BestIsNeverAFailure) {
  auto strategy = make_strategy("random", block_space(), {}).value();
  EXPECT_FALSE(strategy->best());
  const auto first = *strategy->ask(), second = *strategy->ask(), third = *strategy->ask();
  strategy->tell(first, Outcome::failed());
  EXPECT_FALSE(strategy->best());
  strategy->tell(second, Outcome::measured(5));
  strategy->tell(third, Outcome::censored(1));
  EXPECT_EQ(strategy->best(), second);
}

TEST(Strategies, NameTheNearestWhenUnknown) {
  const auto strategy = make_strategy("adaptiv", block_space(), {});
  ASSERT_FALSE(strategy);
  EXPECT_EQ(strategy.error().code(), "E-STRATEGY");
  EXPECT_NE(strategy.error().message().find("did you mean adaptive?"), std::string::npos);
}

}  // namespace
}  // namespace hone::search
