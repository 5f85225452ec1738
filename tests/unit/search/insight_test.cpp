#include "search/insight.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "search/workloads.hpp"
#include "spaces.hpp"

namespace hone::search {
namespace {

TEST(Insight, NamesTheParameterThatMatters) {
  std::vector<Told> told;
  each_valid(block_space(), [&](const Configuration& c) {
    if (told.size() < 300) told.push_back({c, Outcome::measured(1 + 5 * number(c, "tx") + 0.01 * number(c, "ty"))});
  });
  const auto insight = insight_of(block_space(), told).value();
  EXPECT_EQ(insight.importance.front().parameter, "tx");
  EXPECT_GT(insight.importance.front().share, 0.5);
  EXPECT_EQ(insight.measured, told.size());
  EXPECT_FALSE(insight.convergence.empty());
}

TEST(Insight, IsSureThatNothingBetterRemainsOnceAllWasTried) {
  std::vector<Told> told;
  each_valid(block_space(), [&](const Configuration& c) { told.push_back({c, Outcome::measured(number(c, "tx"))}); });
  EXPECT_EQ(insight_of(block_space(), told)->probability_of_better, 0);
  EXPECT_EQ(insight_of(block_space(), told)->expected_gain, 0);
}

TEST(Insight, ABetterPointIsLessLikelyTheMoreOfASmoothSpaceIsKnown) {
  const auto bowl = [](const Configuration& c) {
    const double x = std::log2(number(c, "bx")) - 4, tile = number(c, "tx") - 2;
    return 2 + x * x + 0.5 * tile * tile + 0.1 * number(c, "ty");
  };
  auto strategy = make_strategy("adaptive", block_space(), {}).value();
  std::vector<Told> told;
  const auto after = [&](std::size_t evaluations) {
    while (told.size() < evaluations) {
      const auto configuration = *strategy->ask();
      told.push_back({configuration, Outcome::measured(bowl(configuration))});
      strategy->tell(configuration, told.back().outcome);
    }
    return insight_of(block_space(), told).value();
  };
  const auto early = after(12), late = after(100);
  EXPECT_GT(early.probability_of_better, late.probability_of_better);
  EXPECT_GT(early.expected_gain, late.expected_gain);
  EXPECT_LT(late.probability_of_better, 0.2);
}

TEST(Workloads, TheGeneralOneIsBestByGeometricMean) {
  const Configuration a = {{"p", Value(std::int64_t{1})}}, b = {{"p", Value(std::int64_t{2})}};
  ShapeTable table{{"small", "large"}, {"odd"}, {}};
  table.rows = {{a, {{"small", Outcome::measured(1)}, {"large", Outcome::measured(9)}, {"odd", Outcome::measured(4)}}},
                {b, {{"small", Outcome::measured(2)}, {"large", Outcome::measured(3)}, {"odd", Outcome::measured(5)}}}};
  const auto choice = choose_by_shape(table);
  EXPECT_EQ(choice.per_shape.at("small"), a);
  EXPECT_EQ(choice.per_shape.at("large"), b);
  EXPECT_EQ(choice.general, b);
  EXPECT_DOUBLE_EQ(choice.held_out.at("odd"), 5);
}

TEST(Workloads, AConfigurationThatFailsOnAnyShapeIsNotGeneral) {
  ShapeTable table{{"small", "large"}, {}, {}};
  table.rows = {{{}, {{"small", Outcome::measured(1)}, {"large", Outcome::failed()}}}};
  EXPECT_FALSE(choose_by_shape(table).general);
}

TEST(Workloads, AHopelessConfigurationIsDroppedAsCensored) {
  const std::map<std::string, double> incumbent = {{"a", 1}, {"b", 1}, {"c", 1}};
  EXPECT_FALSE(drop_early({{"a", Outcome::measured(1.5)}}, incumbent));
  const auto dropped = drop_early({{"a", Outcome::measured(10)}}, incumbent);
  ASSERT_TRUE(dropped);
  EXPECT_EQ(dropped->kind, Outcome::Kind::Censored);
  EXPECT_GT(dropped->value, 1);
  EXPECT_EQ(drop_early({{"a", Outcome::failed()}}, incumbent)->kind, Outcome::Kind::Failed);
}

}  // namespace
}  // namespace hone::search
