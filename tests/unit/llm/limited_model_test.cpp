#include "llm/limited_model.hpp"

#include <gtest/gtest.h>

#include "llm/patient_model.hpp"

namespace hone::llm {
namespace {

/// Answers by a list; a word in capitals is an error's code.
class ListedModel final : public LanguageModel {
 public:
  explicit ListedModel(std::vector<Result<Reply>> answers) : answers_(std::move(answers)) {}
  std::string name() const override { return "openai:listed"; }
  Result<Reply> complete(const Question& question, Seconds) override {
    asked.push_back(question);
    return answers_[std::min(asked.size(), answers_.size()) - 1];
  }
  std::vector<Question> asked;

 private:
  std::vector<Result<Reply>> answers_;
};

Reply part(const std::string& text, bool cut) { return {text, cut, {100, 40, 10, 5}}; }

TEST(LimitedModel, AsksNoMoreThanItsCallsAndCountsThoseOfEarlierProcesses) {
  ListedModel inner({part("a", false)});
  SpendLimits limits;
  limits.calls = 3;
  LimitedModel model(inner, limits, {}, Spend{1, {}, 0}, 1000);
  EXPECT_TRUE(model.complete("q", Seconds(1)));
  EXPECT_TRUE(model.complete("q", Seconds(1)));
  const auto third = model.complete("q", Seconds(1));
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code(), "E-SPENT");
  EXPECT_EQ(inner.asked.size(), 2U);
}

TEST(LimitedModel, NeverPassesItsTokensWhateverTheAnswersAre) {
  ListedModel inner({Reply{"a", false, {64 + 4, 0, 1000, 0}}});
  SpendLimits limits;
  limits.tokens = 5000;
  LimitedModel model(inner, limits, {}, {}, 1000);
  while (model.complete("1234", Seconds(1))) ASSERT_LE(model.spent().tokens(), 5000);
  EXPECT_EQ(inner.asked.size(), 4U) << "a fifth could have passed it";
}

TEST(LimitedModel, NeverPassesItsCostAlsoWhenAnAnswerBreaksOff) {
  ListedModel inner({fail("E-REPLY", "cut")});
  SpendLimits limits;
  limits.cost = 1;
  LimitedModel model(inner, limits, {0, 0, 100}, {}, 1000);
  for (int i = 0; i < 20; ++i) (void)model.complete("1234", Seconds(1));
  EXPECT_LE(model.spent().cost, 1);
  EXPECT_EQ(inner.asked.size(), 10U) << "what broke off may have been paid for";
}

TEST(LimitedModel, LeavesTheMostItMaySpendBehindWhileItWaitsAndThenWhatItSpent) {
  ListedModel inner({fail("E-REPLY", "cut"), Reply{"whole", false, {7, 0, 3, 0}}, fail("E-HTTP", "gone")});
  std::vector<std::pair<std::size_t, std::int64_t>> kept;
  LimitedModel model(inner, {}, {}, {}, 1000, {},
                     [&](const Spend& spent) { kept.emplace_back(spent.calls, spent.usage.output); });
  for (int i = 0; i < 3; ++i) (void)model.complete("1234", Seconds(1));
  EXPECT_EQ(kept, (decltype(kept){{1, 1000}, {1, 1000}, {2, 2000}, {2, 1003}, {3, 2003}, {2, 1003}}));
}

TEST(Prices, AreReadRowByRowAndTheLongestNameCounts) {
  const auto prices = prices_from(
      R"({"models": {"a:*": {"input": 1, "cached": 1, "output": 1}, "a:b*": {"input": 2, "cached": 1, "output": 4}}})");
  ASSERT_TRUE(prices);
  EXPECT_EQ(price_of(*prices, "a:bc")->input, 2);
  EXPECT_EQ(price_of(*prices, "a:c")->input, 1);
  EXPECT_FALSE(price_of(*prices, "x"));
  EXPECT_DOUBLE_EQ(cost_of({1000000, 250000, 500000, 100000}, *price_of(*prices, "a:b")), 1.5 + 0.25 + 2);
  EXPECT_EQ(prices_from("[]").error().code(), "E-PRICES");
  EXPECT_EQ(prices_from(R"({"models": {"a": {"input": -1}}})").error().code(), "E-PRICES");
  EXPECT_TRUE(price_of(shipped_prices(), "command:x"));
}

TEST(PatientModel, JoinsAnAnswerThatWasCutAndSumsItsTokens) {
  ListedModel inner({part("one ", true), part("two ", true), part("three", false)});
  const auto reply = PatientModel(inner).complete("q", Seconds(10));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->text, "one two three");
  EXPECT_FALSE(reply->cut);
  EXPECT_EQ(reply->usage, (Usage{300, 120, 30, 15}));
  EXPECT_EQ(inner.asked[2].answered, "one two ");
}

TEST(PatientModel, SaysSoWhenAnAnswerStaysCut) {
  ListedModel inner({part("more ", true)});
  const auto reply = PatientModel(inner, 3).complete("q", Seconds(10));
  ASSERT_TRUE(reply);
  EXPECT_TRUE(reply->cut);
  EXPECT_EQ(inner.asked.size(), 3U);
}

TEST(PatientModel, AsksAgainWhenTheAnswerBrokeOffButNotWhenTheServerIsGone) {
  ListedModel broke({fail("E-REPLY", "broke off"), part("a", false)});
  EXPECT_EQ(PatientModel(broke).complete("q", Seconds(10))->text, "a");
  ListedModel gone({fail("E-MODEL", "gone")});
  EXPECT_FALSE(PatientModel(gone).complete("q", Seconds(10)));
  EXPECT_EQ(gone.asked.size(), 1U);
}

}  // namespace
}  // namespace hone::llm
