#include "loop/learned_constraints.hpp"

#include <gtest/gtest.h>

namespace hone::loop {
namespace {

using search::Outcome;

Space two_parameters() {
  Space space;
  for (const auto* name : {"A", "B"}) {
    Parameter parameter{name, {}, std::int64_t{1}};
    for (const std::int64_t value : {1, 2, 4, 8}) parameter.values.emplace_back(value);
    space.parameters.push_back(std::move(parameter));
  }
  return space;
}

search::Told told(std::int64_t a, std::int64_t b, bool works) {
  return {{{"A", a}, {"B", b}}, works ? Outcome::measured(1) : Outcome::failed()};
}

TEST(LearnedConstraints, OneParameterThatTellsWhatFailsBecomesABound) {
  const std::vector<search::Told> seen = {told(1, 1, true),  told(2, 8, true),  told(1, 4, true),
                                          told(4, 1, false), told(8, 2, false), told(8, 8, false)};
  const auto range = failing_range(two_parameters(), seen);
  ASSERT_TRUE(range);
  EXPECT_TRUE(range->holds({{"A", std::int64_t{4}}, {"B", std::int64_t{2}}}));
  EXPECT_FALSE(range->holds({{"A", std::int64_t{2}}, {"B", std::int64_t{2}}}));
  const auto constraints = learned_constraints(two_parameters(), seen);
  ASSERT_EQ(constraints.size(), 1U);
  EXPECT_EQ(constraints.front().condition.print(), "A < 4");
}

TEST(LearnedConstraints, WhereNoParameterAloneTellsOnlyThePointsThatFailedAreNamed) {
  const std::vector<search::Told> seen = {told(1, 1, true), told(8, 8, true), told(1, 8, false), told(8, 1, false),
                                          told(4, 1, false)};
  EXPECT_FALSE(failing_range(two_parameters(), seen));
  EXPECT_EQ(learned_constraints(two_parameters(), seen).size(), 3U);
}

TEST(LearnedConstraints, TwoParametersThatBothWouldExplainItMakeNoBound) {
  const std::vector<search::Told> seen = {told(1, 1, true), told(2, 2, true), told(4, 4, false), told(8, 8, false),
                                          told(8, 4, false)};
  EXPECT_FALSE(failing_range(two_parameters(), seen));
}

TEST(LearnedConstraints, FewFailuresMakeNoBoundAndNothingThatWorksNoConstraint) {
  EXPECT_FALSE(
      failing_range(two_parameters(), {told(1, 1, true), told(1, 2, true), told(4, 1, false), told(8, 2, false)}));
  EXPECT_TRUE(learned_constraints(two_parameters(), {told(4, 1, false), told(8, 2, false)}).empty());
  EXPECT_TRUE(learned_constraints(two_parameters(), {told(4, 1, true)}).empty());
}

TEST(LearnedConstraints, HaveNamesOfTheirOwnBesideThoseOfAnEarlierSearch) {
  auto space = two_parameters();
  space.constraints = {{"fails_1", Expression::parse("A < 8").value()}};
  const auto constraints = learned_constraints(space, {told(1, 1, true), told(2, 1, false)});
  ASSERT_EQ(constraints.size(), 1U);
  EXPECT_EQ(constraints.front().name, "fails_2");
}

TEST(LearnedConstraints, WhatFailedOnceAndWorkedOnceIsNoMatterOfThePoint) {
  EXPECT_TRUE(learned_constraints(two_parameters(), {told(1, 1, true), told(2, 1, false), told(2, 1, true)}).empty());
}

}  // namespace
}  // namespace hone::loop
