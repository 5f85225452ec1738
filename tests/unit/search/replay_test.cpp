#include "search/replay.hpp"

#include <gtest/gtest.h>

#include "spaces.hpp"

namespace hone::search {
namespace {

Cache table() {
  std::vector<MeasuredEntry> entries;
  each_valid(block_space(), [&](const Configuration& c) {
    const auto n = static_cast<double>(entries.size() * 7919 % 1009);
    entries.push_back({c, n > 900 ? Outcome::failed() : Outcome::measured(1 + n), {}, 1000, 0, 0, 0, ""});
  });
  return make_cache({"gpu", "k", {1}}, block_space(), entries);
}

TEST(Replay, SpendsExactlyTheBudget) {
  const auto replay = Replay::of(table()).value();
  for (const std::string strategy : {"random", "adaptive"}) {
    ReplayOptions options;
    options.strategy = strategy;
    options.budget.evaluations = 30;
    const auto result = replay.run(options).value();
    EXPECT_EQ(result.order.size(), 30U);
    EXPECT_EQ(result.ended, "30 evaluations");
    ASSERT_TRUE(result.best);
    EXPECT_GE(*result.best_time, result.optimum);
  }
}

TEST(Replay, BeginsWithGivenPointsThatWereMeasuredEachOnceAndThenAsks) {
  const auto replay = Replay::of(table()).value();
  const auto& entries = replay.cache().entries;
  ReplayOptions options;
  options.budget.evaluations = 40;
  options.first = {entries[7].configuration,
                   entries[3].configuration,
                   entries[7].configuration,
                   {{"block_x", Value(std::int64_t{-1})}}};
  const auto order = replay.run(options).value().order;
  ASSERT_EQ(order.size(), 40U);
  EXPECT_EQ((std::vector(order.begin(), order.begin() + 2)), (std::vector<std::size_t>{7, 3}));
  EXPECT_NE(order[2], 7U) << "given twice, evaluated once";
}

TEST(Replay, EndsWhenEverythingWasTried) {
  const auto replay = Replay::of(table()).value();
  ReplayOptions options;
  options.strategy = "exhaustive";
  const auto result = replay.run(options).value();
  EXPECT_EQ(result.ended, "every configuration was tried");
  EXPECT_EQ(*result.best_time, result.optimum);
}

TEST(Budget, EachLimitEndsTheSearchInItsOwnWords) {
  Spent spent;
  for (int i = 0; i < 5; ++i) spent = spent.noted(Outcome::measured(10 + i), Seconds(i));
  EXPECT_FALSE(over({}, spent));
  EXPECT_EQ(over({.evaluations = 5, .seconds = {}, .target = {}, .no_gain_for = {}}, spent), "5 evaluations");
  EXPECT_EQ(over({.evaluations = {}, .seconds = Seconds(4), .target = {}, .no_gain_for = {}}, spent), "4 seconds");
  EXPECT_EQ(over({.evaluations = {}, .seconds = {}, .target = 10, .no_gain_for = {}}, spent), "target reached");
  EXPECT_EQ(over({.evaluations = {}, .seconds = {}, .target = {}, .no_gain_for = 4}, spent),
            "no gain for 4 evaluations");
}

TEST(Budget, FailuresBeforeTheFirstSuccessAreNoMissingGain) {
  Spent spent;
  for (int i = 0; i < 50; ++i) spent = spent.noted(Outcome::failed(), Seconds(0));
  EXPECT_FALSE(over({.evaluations = {}, .seconds = {}, .target = {}, .no_gain_for = 10}, spent));
}

TEST(Score, AnOracleScoresNearOneAndTheWorstOrderBelowZero) {
  const auto cache = table();
  const auto scorer = Scorer::of(cache).value();
  search::Run best_first(cache.entries.size()), worst_first;
  for (std::size_t i = 0; i < best_first.size(); ++i) best_first[i] = i;
  std::sort(best_first.begin(), best_first.end(), [&](auto a, auto b) {
    const auto time = [&](std::size_t i) {
      const auto& outcome = cache.entries[i].outcome;
      return outcome.kind == Outcome::Kind::Measured ? outcome.value : 1e9;
    };
    return time(a) < time(b);
  });
  worst_first.assign(best_first.rbegin(), best_first.rend());
  EXPECT_GT(scorer.score({best_first})->value, 0.99);
  EXPECT_LT(scorer.score({worst_first})->value, 0);
}

}  // namespace
}  // namespace hone::search
