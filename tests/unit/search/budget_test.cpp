#include <gtest/gtest.h>

#include "search/budget_text.hpp"

namespace hone::search {
namespace {

TEST(BudgetText, IsSecondsMinutesEvaluationsOrSeveralOfThem) {
  EXPECT_DOUBLE_EQ(parse_budget("90s")->seconds->count(), 90);
  EXPECT_DOUBLE_EQ(parse_budget("1.5m")->seconds->count(), 90);
  EXPECT_EQ(parse_budget("200")->evaluations, 200U);
  const auto both = parse_budget("200,5m");
  EXPECT_EQ(both->evaluations, 200U);
  EXPECT_DOUBLE_EQ(both->seconds->count(), 300);
}

TEST(BudgetText, IsRefusedWithExamplesOtherwise) {
  for (const auto* text : {"soon", "", "-3s", "0", "2.5", "10x", "nan"}) {
    const auto budget = parse_budget(text);
    ASSERT_FALSE(budget) << text;
    EXPECT_EQ(budget.error().code(), "E-BUDGET");
  }
}

}  // namespace
}  // namespace hone::search
