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
  Result<Reply> complete(const Question& question, Seconds) override {
    prompts.push_back(question.prompt);
    keys.push_back(question.key());
    if (prompts.size() > replies_.size()) return fail("E-MODEL", "nothing more to say");
    return Reply{replies_[prompts.size() - 1], prompts.size() <= cut};
  }
  std::vector<std::string> prompts, keys;
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
  EXPECT_NE(model.prompts[1].find("Others of this round do `model-2-1`"), std::string::npos);
  EXPECT_EQ(model.keys, (std::vector<std::string>{"r2-s1-a0-generate", "r2-s2-a0-generate", "r2-s3-a0-generate"}));
}

TEST(ModelProposer, GivesAnUnreadableAnswerASecondChance) {
  ScriptedModel model({"garbage", reply_with("1;"), reply_with("2;"), reply_with("3;")});
  auto templates = ModelProposer(model, {}).propose(test::matmul_round());
  EXPECT_EQ(templates->size(), 3u);
  EXPECT_NE(model.prompts[1].find("could not be used\n\nthere is no fenced block"), std::string::npos);
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

TEST(ModelProposer, IsToldWhatItHasProposedBeforeAndMayAnswerAgain) {
  ScriptedModel model({reply_with("1;"), reply_with("1;"), reply_with("2;"), reply_with("3;")});
  ModelProposer proposer(model, {});
  EXPECT_EQ(proposer.propose(test::matmul_round())->size(), 3u);
  EXPECT_NE(model.prompts[2].find("the same template was given before, as `model-2-1`"), std::string::npos);
  EXPECT_EQ(model.keys[2], "r2-s2-a1-generate");
}

TEST(ModelProposer, SendsAnErrorInTheManifestBackWithTheAnswer) {
  const auto manifest = [](const std::string& name) {
    return "```toml\nsource = \"kernel.cl\"\n[[parameter]]\nname = \"TI\"\nvalues = [1, 2]\n[constraints]\nfits = \"" +
           name + " <= 2\"\n```\n";
  };
  ScriptedModel model({reply_with("TI;") + manifest("TJ"), reply_with("TI;") + manifest("TI")});
  auto context = test::matmul_round();
  context.limit = 1;
  const auto templates = ModelProposer(model, {}).propose(context);
  ASSERT_TRUE(templates && templates->size() == 1u);
  EXPECT_NE(model.prompts.at(1).find("the constraint `fits` uses `TJ`"), std::string::npos);
  EXPECT_NE(model.prompts.at(1).find("fits = \"TJ <= 2\""), std::string::npos) << "its own answer is shown";
  EXPECT_TRUE(model.prompts.at(1).starts_with(model.prompts.at(0).substr(0, 2000))) << "the stable part comes first";
}

TEST(ModelProposer, MaySayNothingMoreAndIsNotAskedAgainForTheSameIncumbent) {
  ScriptedModel model({"NOTHING MORE: the memory is the limit.", reply_with("1;")});
  ModelProposer proposer(model, {});
  auto context = test::matmul_round();
  EXPECT_TRUE(proposer.has_more());
  EXPECT_TRUE(proposer.propose(context)->empty());
  EXPECT_EQ(model.prompts.size(), 1u) << "declining costs one prompt";
  EXPECT_FALSE(proposer.has_more());
  EXPECT_EQ(proposer.declined().at(0), "model:scripted: round 2: nothing more: the memory is the limit.");
  context.round = 3;
  EXPECT_TRUE(proposer.propose(context)->empty());
  EXPECT_EQ(model.prompts.size(), 1u);
  context.incumbent.variant.source = "somebody else's faster one";
  context.limit = 1;
  EXPECT_EQ(proposer.propose(context)->size(), 1u) << "a new base is a new question";
}

TEST(ModelProposer, IsAskedInSoManyRoundsAndForSoManyCandidates) {
  std::vector<std::string> replies;
  for (int i = 0; i < 40; ++i) replies.push_back(reply_with(std::to_string(i) + ";"));
  ScriptedModel model(replies);
  ModelOptions options;
  options.rounds = 2;
  options.candidates = 2;
  ModelProposer proposer(model, options);
  auto context = test::matmul_round();
  context.limit = 5;
  for (context.round = 1; context.round <= 4; ++context.round) ASSERT_TRUE(proposer.propose(context));
  EXPECT_EQ(model.prompts.size(), 4u);
  EXPECT_FALSE(proposer.has_more());
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
  EXPECT_NE(model.prompts[1].find("Repairs of it before this one failed too:\n\n- BuildFailed: error: no such thing"),
            std::string::npos);
  EXPECT_NE(model.prompts[1].find("**Form A"), std::string::npos) << "the form is in the repair prompt itself";
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
  ScriptedModel model({R"({"directions": [{"action": "rows in registers", "base": "tiles", "predicted_ms": 2.5},
                                          {"action": "wider loads"}]})",
                       reply_with("1;"), reply_with("2;"), reply_with("3;")});
  ModelOptions options;
  options.plan = true;
  ModelProposer proposer(model, options);
  ASSERT_TRUE(proposer.propose(test::matmul_round()));
  EXPECT_EQ(model.keys[0], "r2-s0-a0-plan");
  EXPECT_NE(
      model.prompts[1].find("Your direction: rows in registers. Base: tiles. The time aimed at: 2.500 ms. Others of "
                            "this round do `wider loads`"),
      std::string::npos);
  EXPECT_NE(model.prompts[2].find("Your direction: wider loads. "), std::string::npos);
}

TEST(ModelProposer, ShowsAPlannerWhatBecameOfEarlierDirections) {
  ScriptedModel model({R"({"directions": [{"action": "rows in registers"}]})", reply_with("1;"), "no plan", "x", "y"});
  ModelOptions options;
  options.plan = true;
  ModelProposer proposer(model, options);
  auto context = test::matmul_round();
  context.limit = 1;
  ASSERT_TRUE(proposer.propose(context));
  context.round = 3;
  context.tried.back().template_name = "model-2-1";
  ASSERT_TRUE(proposer.propose(context));
  EXPECT_NE(model.prompts[2].find("- round 2: rows in registers: WrongOutput"), std::string::npos) << model.prompts[2];
}

TEST(ModelProposer, IsToldNothingThatAComparisonLeavesOut) {
  ScriptedModel model({reply_with("TI;") +
                       "```toml\nsource = \"kernel.cl\"\n[[parameter]]\nname = \"TI\"\nvalues = [1, 2]\n"
                       "default = 2\n```\n"});
  ModelOptions options;
  options.inherit = options.profile = options.templates = false;
  auto context = test::matmul_round();
  context.limit = 1;
  context.briefing.loops = {"loop k"};
  const auto templates = ModelProposer(model, options).propose(context);
  ASSERT_TRUE(templates && templates->size() == 1u);
  EXPECT_EQ(templates->front().space.parameters[0].values, std::vector<Value>{std::int64_t{2}});
  for (const auto* part : {"lanes 0 16: 9.80x", "gflops", "Keep a tile in registers", "loop k"})
    EXPECT_EQ(model.prompts[0].find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace hone::agents
