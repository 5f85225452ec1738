#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "search/strategy.hpp"
#include "spaces.hpp"

namespace hone::search {
namespace {

/// A smooth valley with interactions; the optimum is inside the space.
double valley(const Configuration& c) {
  const double block = std::log2(number(c, "bx") * number(c, "by")) - 8, shape = std::log2(number(c, "bx")) - 4;
  const double tile = number(c, "tx") * number(c, "ty") - 6;
  return 1 + block * block + 0.3 * shape * shape + 0.05 * tile * tile + (number(c, "stride") > 0 ? 0 : 0.2);
}

double best_possible() {
  double best = 1e9;
  each_valid(block_space(), [&](const Configuration& c) { best = std::min(best, valley(c)); });
  return best;
}

std::vector<std::string> asks(std::uint64_t seed, std::size_t count, std::size_t batch = 1) {
  auto strategy =
      make_strategy("adaptive", block_space(), {.seed = seed, .prior = {}, .budget = 0, .known = {}}).value();
  std::vector<std::string> out;
  while (out.size() < count) {
    std::vector<Configuration> asked;
    for (std::size_t i = 0; i < batch; ++i) asked.push_back(*strategy->ask());
    for (const auto& configuration : asked) {
      out.push_back(print(configuration));
      strategy->tell(configuration, Outcome::measured(valley(configuration)));
    }
  }
  return out;
}

TEST(Adaptive, FindsTheBottomOfAValleyInFewEvaluations) {
  auto strategy = make_strategy("adaptive", block_space(), {}).value();
  for (int i = 0; i < 60; ++i) {
    const auto configuration = *strategy->ask();
    strategy->tell(configuration, Outcome::measured(valley(configuration)));
  }
  EXPECT_NEAR(valley(*strategy->best()), best_possible(), 0.05);
}

TEST(Adaptive, SameSeedSameAsks) {
  EXPECT_EQ(asks(5, 80), asks(5, 80));
  EXPECT_EQ(asks(5, 40, 4), asks(5, 40, 4));
}

TEST(Adaptive, BatchesNeverRepeatAConfigurationInFlight) {
  auto strategy = make_strategy("adaptive", block_space(), {}).value();
  for (int round = 0; round < 12; ++round) {
    std::set<std::string> batch;
    std::vector<Configuration> asked;
    for (int i = 0; i < 8; ++i) {
      asked.push_back(*strategy->ask());
      EXPECT_TRUE(batch.insert(print(asked.back())).second);
    }
    for (const auto& configuration : asked) strategy->tell(configuration, Outcome::measured(valley(configuration)));
  }
}

TEST(Adaptive, ExhaustsATinySpaceAndStops) {
  Space space;
  space.parameters = {integers("a", {1, 2}), integers("b", {1, 2}), integers("c", {1, 2})};
  auto strategy = make_strategy("adaptive", space, {}).value();
  std::set<std::string> seen;
  while (const auto configuration = strategy->ask()) {
    seen.insert(print(*configuration));
    strategy->tell(*configuration, Outcome::measured(number(*configuration, "a")));
    ASSERT_LT(seen.size(), 9U);
  }
  EXPECT_EQ(seen.size(), 8U);
}

TEST(Adaptive, ASpaceOfOnePointIsAskedOnce) {
  Space space;
  space.parameters = {integers("a", {4})};
  auto strategy = make_strategy("adaptive", space, {}).value();
  const auto only = strategy->ask();
  ASSERT_TRUE(only);
  strategy->tell(*only, Outcome::measured(1));
  EXPECT_FALSE(strategy->ask());
}

TEST(Adaptive, GoesOnWhenEverythingFails) {
  auto strategy = make_strategy("adaptive", block_space(), {}).value();
  for (int i = 0; i < 100; ++i) strategy->tell(*strategy->ask(), Outcome::failed());
  EXPECT_FALSE(strategy->best());
}

/// How many parameters differ.
std::size_t changes(const Configuration& a, const Configuration& b) {
  return static_cast<std::size_t>(
      std::count_if(a.begin(), a.end(), [&](const auto& item) { return !(b.at(item.first) == item.second); }));
}

TEST(Adaptive, AFailedCentreIsReplacedByPointsBesideItUntilOneWorks) {
  auto strategy = make_strategy("adaptive", block_space(), {}).value();
  const auto center = *strategy->ask();
  strategy->tell(center, Outcome::failed());
  const auto second = *strategy->ask();
  EXPECT_EQ(changes(center, second), 1U);
  strategy->tell(second, Outcome::failed());
  const auto third = *strategy->ask();
  EXPECT_EQ(changes(center, third), 1U);
  strategy->tell(third, Outcome::measured(1));
  EXPECT_GT(changes(center, *strategy->ask()), 1U);
}

TEST(Adaptive, ACentreBehindAWallIsGivenUp) {
  auto strategy = make_strategy("adaptive", block_space(), {}).value();
  const auto center = *strategy->ask();
  strategy->tell(center, Outcome::failed());
  for (int i = 0; i < 3; ++i) strategy->tell(*strategy->ask(), Outcome::failed());
  EXPECT_GT(changes(center, *strategy->ask()), 1U);
}

TEST(Adaptive, NeverReturnsAFailureUnderNoise) {
  auto strategy = make_strategy("adaptive", block_space(), {}).value();
  Random random(3);
  std::set<std::string> failed;
  for (int i = 0; i < 120; ++i) {
    const auto configuration = *strategy->ask();
    const bool fails = number(configuration, "by") > 8;
    if (fails) failed.insert(print(configuration));
    const double noise = std::exp(0.05 * random.normal());
    strategy->tell(configuration, fails ? Outcome::failed() : Outcome::measured(valley(configuration) * noise));
    const auto best = strategy->best();
    EXPECT_FALSE(best && failed.contains(print(*best)));
  }
}

TEST(Adaptive, AsksAgainWhereMeasurementsRepeatDifferently) {
  auto strategy = make_strategy("adaptive", block_space(), {}).value();
  Random random(9);
  std::multiset<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const auto configuration = *strategy->ask();
    seen.insert(print(configuration));
    strategy->tell(configuration, Outcome::measured(valley(configuration) * std::exp(0.1 * random.normal())));
  }
  EXPECT_LT(std::set<std::string>(seen.begin(), seen.end()).size(), seen.size());
}

TEST(Adaptive, CensoredValuesAreNotTimes) {
  auto strategy = make_strategy("adaptive", block_space(), {}).value();
  for (int i = 0; i < 40; ++i) {
    const auto configuration = *strategy->ask();
    const double time = valley(configuration);
    strategy->tell(configuration, time > 4 ? Outcome::censored(4) : Outcome::measured(time));
  }
  EXPECT_LE(valley(*strategy->best()), 4);
}

TEST(Adaptive, StartsFromWhatEarlierTrialsLiked) {
  StrategyOptions options;
  each_valid(block_space(), [&](const Configuration& c) {
    if (options.prior.size() < 200) options.prior.push_back({c, Outcome::measured(3 * valley(c))});
  });
  double best = 1e9;
  Configuration liked;
  for (const auto& told : options.prior) {
    if (told.outcome.value < best) best = told.outcome.value, liked = told.configuration;
  }
  auto strategy = make_strategy("adaptive", block_space(), options).value();
  EXPECT_EQ(strategy->ask(), liked);
}

TEST(Adaptive, IgnoresTellsFromOutsideTheSpace) {
  auto strategy = make_strategy("adaptive", block_space(), {}).value();
  strategy->tell({{"bx", Value(std::int64_t{3})}}, Outcome::measured(0.001));
  EXPECT_FALSE(strategy->best());
  EXPECT_TRUE(strategy->ask());
}

}  // namespace
}  // namespace hone::search
