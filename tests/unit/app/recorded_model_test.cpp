#include "app/recorded_model.hpp"

#include <gtest/gtest.h>

#include "os/files.hpp"

namespace hone::app {
namespace {

class CountingModel final : public LanguageModel {
 public:
  std::string name() const override { return "counting"; }
  Result<Reply> complete(const Question&, Seconds) override {
    ++asked;
    if (fails) return fail("E-MODEL", "gone");
    return Reply{text + std::to_string(asked), false, {10, 4, 3, 1}};
  }
  int asked = 0;
  bool fails = false;
  std::string text = "answer ";
};

Question question(int slot, const std::string& prompt) {
  Question out(prompt);
  out.round = 1;
  out.slot = slot;
  return out;
}

struct Recorded : testing::Test {
  os::TempFolder folder = *os::TempFolder::make();
  CountingModel inner;
  RecordedModel model{"counting", &inner, folder.path().string()};
};

TEST_F(Recorded, FindsAnAnswerByItsPlaceInTheRunWhateverThePromptSays) {
  EXPECT_EQ(model.complete(question(1, "12.3 ms"), Seconds(1))->text, "answer 1");
  EXPECT_EQ(
      RecordedModel("counting", &inner, folder.path().string()).complete(question(1, "12.9 ms"), Seconds(1))->text,
      "answer 1");
  EXPECT_EQ(inner.asked, 1);
  EXPECT_EQ(model.complete(question(2, "12.3 ms"), Seconds(1))->text, "answer 2");
}

TEST_F(Recorded, KeepsNoFailureSoThatItIsAskedAgain) {
  inner.fails = true;
  EXPECT_FALSE(model.complete(question(1, ""), Seconds(1)));
  inner.fails = false;
  EXPECT_TRUE(model.complete(question(1, ""), Seconds(1)));
  EXPECT_EQ(inner.asked, 2);
}

TEST_F(Recorded, RemembersWhatWasSpentOnMoreThanTheAnswersThatAreThere) {
  ASSERT_TRUE(model.complete(question(1, ""), Seconds(1)));
  EXPECT_EQ(spent_in(folder.path().string()), (RecordedSpend{1, {10, 4, 3, 1}}));
  const RecordedSpend all{4, {40, 4, 12, 1}};  // an answer in three parts, one that broke off
  ASSERT_TRUE(keep_spent(folder.path().string(), all));
  EXPECT_EQ(spent_in(folder.path().string()), all);
}

TEST_F(Recorded, AloneHasNothingMoreThanWhatIsThere) {
  ASSERT_TRUE(model.complete(question(1, ""), Seconds(1)));
  RecordedModel alone("counting", nullptr, folder.path().string());
  EXPECT_EQ(alone.complete(question(1, ""), Seconds(1))->text, "answer 1");
  EXPECT_EQ(alone.complete(question(2, ""), Seconds(1)).error().code(), "E-SPENT");
}

TEST_F(Recorded, GivesTheSameNowAndLaterAlsoForBytesThatAreNoText) {
  inner.text = "\xff\xfe\x01";
  const auto now = model.complete(question(1, "\xff"), Seconds(1));
  ASSERT_TRUE(now);
  EXPECT_EQ(now->text, model.complete(question(1, ""), Seconds(1))->text);
}

TEST_F(Recorded, KnowsWhatWasSpentBefore) {
  ASSERT_TRUE(model.complete(question(1, ""), Seconds(1)) && model.complete(question(2, ""), Seconds(1)));
  const auto spent = spent_in(folder.path().string());
  EXPECT_EQ(spent.calls, 2U);
  EXPECT_EQ(spent.usage, (Usage{20, 8, 6, 2}));
}

TEST_F(Recorded, AsksAgainWhereAFileWasTorn) {
  ASSERT_TRUE(os::write_text(folder.path() / "r1-s1-a0-generate.json", "{\"reply\": \"ha"));
  EXPECT_EQ(model.complete(question(1, ""), Seconds(1))->text, "answer 1");
}

}  // namespace
}  // namespace hone::app
