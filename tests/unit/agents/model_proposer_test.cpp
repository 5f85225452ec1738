#include "agents/model_proposer.hpp"

#include <gtest/gtest.h>

#include "round.hpp"

namespace hone::agents {
namespace {

/// Says the lines it was given, one per question, then fails.
class ScriptedModel : public LanguageModel {
 public:
  explicit ScriptedModel(std::vector<std::string> replies) : replies_(std::move(replies)) {}
  std::string name() const override { return "scripted"; }
  Result<Reply> complete(const std::string& prompt, Seconds) override {
    prompts.push_back(prompt);
    if (prompts.size() > replies_.size()) return fail("E-MODEL", "nothing more to say");
    return Reply{replies_[prompts.size() - 1], prompts.size() <= cut};
  }
  std::vector<std::string> prompts;
  std::size_t cut = 0;  // so many answers are cut off

 private:
  std::vector<std::string> replies_;
};

std::string reply_with(const std::string& body) { return "```opencl\n__kernel void matmul() { " + body + " }\n```\n"; }

Fault fault_of(const Template& value) {
  Fault fault;
  fault.proposed = value;
  fault.source = value.source;
  fault.verdict = BuildFailed{"error: no such thing"};
  return fault;
}

TEST(ModelProposer, AsksUntilItHasWhatTheRoundWants) {
  ScriptedModel model({reply_with("1;"), reply_with("2;"), reply_with("3;")});
  auto templates = ModelProposer(model, {}).propose(test::matmul_round());
  ASSERT_TRUE(templates);
  EXPECT_EQ(templates->size(), 3u);
  EXPECT_EQ(model.prompts.size(), 3u);
  EXPECT_NE(model.prompts[1].find("do something else than model-2-1"), std::string::npos);
}

TEST(ModelProposer, GivesAnUnreadableAnswerASecondChance) {
  ScriptedModel model({"garbage", reply_with("1;"), reply_with("2;"), reply_with("3;")});
  auto templates = ModelProposer(model, {}).propose(test::matmul_round());
  EXPECT_EQ(templates->size(), 3u);
  EXPECT_NE(model.prompts[1].find("could not be read as a template: there is no fenced block"), std::string::npos);
}

TEST(ModelProposer, KeepsWhatItHasWhenTheModelDies) {
  ScriptedModel model({reply_with("1;")});
  ModelProposer proposer(model, {});
  EXPECT_EQ(proposer.propose(test::matmul_round())->size(), 1u);
  EXPECT_EQ(proposer.declined().at(0), "model:scripted: round 2, candidate 2: nothing more to say");
}

TEST(ModelProposer, ReportsAModelThatSaysNothingAtAllAndThenLeavesItAlone) {
  ScriptedModel model({});
  ModelProposer proposer(model, {});
  EXPECT_EQ(proposer.propose(test::matmul_round()).error().code(), "E-MODEL");
  const std::size_t asked = model.prompts.size();
  EXPECT_TRUE(proposer.propose(test::matmul_round())->empty());
  EXPECT_EQ(model.prompts.size(), asked);
}

TEST(ModelProposer, FromGarbageAloneProposesNothingWithoutAnError) {
  ScriptedModel model({"a", "b", "c", "d", "e", "f"});
  ModelProposer proposer(model, {});
  EXPECT_TRUE(proposer.propose(test::matmul_round())->empty());
  EXPECT_EQ(proposer.declined().size(), 3u);
}

TEST(ModelProposer, DropsWhatItHasProposedBefore) {
  ScriptedModel model({reply_with("1;"), reply_with("1;"), reply_with("2;")});
  ModelProposer proposer(model, {});
  EXPECT_EQ(proposer.propose(test::matmul_round())->size(), 2u);
  EXPECT_EQ(proposer.declined().at(0), "model:scripted: round 2, candidate 2: model-2-2 was proposed before");
}

TEST(ModelProposer, MendsWhatItIsAskedToMend) {
  ScriptedModel model({reply_with("1;"), reply_with("2;"), reply_with("3;")});
  ModelProposer proposer(model, {});
  const auto context = test::matmul_round();
  Template broken;
  broken.name = "tiles";
  broken.source = "__kernel void matmul() { 0; }";
  auto once = proposer.repair(context, fault_of(broken));
  ASSERT_TRUE(once && *once);
  EXPECT_EQ((*once)->name, "tiles+repaired");
  EXPECT_NE(model.prompts[0].find("error: no such thing"), std::string::npos);
  auto twice = proposer.repair(context, fault_of(**once));
  ASSERT_TRUE(twice && *twice);
  EXPECT_EQ((*twice)->name, "tiles+repaired+repaired");
  EXPECT_EQ(model.prompts.size(), 2u) << "how often is the loop's to say";
}

TEST(ModelProposer, TakesNothingFromAnAnswerThatWasCutOffAndSaysSo) {
  ScriptedModel model({reply_with("1;"), reply_with("2;")});
  model.cut = 1;
  auto context = test::matmul_round();
  context.limit = 1;
  const auto templates = ModelProposer(model, {}).propose(context);
  ASSERT_TRUE(templates && templates->size() == 1u);
  EXPECT_NE(templates->front().source.find("2;"), std::string::npos);
  EXPECT_NE(model.prompts.at(1).find("cut off at the length limit"), std::string::npos);
}

TEST(ModelProposer, FollowsThePlanItAskedFor) {
  ScriptedModel model({"{\"follow\": [2]}", reply_with("1;"), reply_with("2;"), reply_with("3;")});
  ModelOptions options;
  options.plan = true;
  ASSERT_TRUE(ModelProposer(model, options).propose(test::matmul_round()));
  EXPECT_NE(model.prompts[1].find("1. Keep a tile in registers"), std::string::npos);
  EXPECT_EQ(model.prompts[1].find("Let neighbours write neighbours"), std::string::npos);
}

}  // namespace
}  // namespace hone::agents
