// Repairs that keep the idea, points of templates that work, and patterns that answers follow.

#include "agents/repairs.hpp"

#include <gtest/gtest.h>

#include "agents/model_proposer.hpp"
#include "agents/reply.hpp"
#include "round.hpp"

namespace hone::agents {
namespace {

class OneAnswer final : public LanguageModel {
 public:
  explicit OneAnswer(std::string text) : text_(std::move(text)) {}
  std::string name() const override { return "one"; }
  Result<Reply> complete(const Question&, Seconds) override { return Reply{text_, false}; }

 private:
  std::string text_;
};

std::string kernel_with(const std::string& body) { return "```opencl\n__kernel void matmul() { " + body + " }\n```\n"; }

/// The words of the source stand for what is found in its tree.
std::set<std::string> words_in(const Template& value) {
  std::set<std::string> out;
  for (const auto* word : {"tile", "barrier", "vector"})
    if (value.source.find(word) != std::string::npos) out.insert(word);
  return out;
}

Fault fault_in(const std::string& source) {
  Fault fault;
  fault.proposed.name = "idea";
  fault.proposed.source = source;
  fault.verdict = BuildFailed{"error"};
  return fault;
}

TEST(Repairs, ThatDropMostOfTheIdeaAreFailedDirectionsAndSaidToBe) {
  OneAnswer model(kernel_with("plain;"));
  ModelOptions options;
  options.transformations = words_in;
  ModelProposer proposer(model, options);
  const auto mended = proposer.repair(test::matmul_round(), fault_in("tile barrier"));
  ASSERT_TRUE(mended);
  EXPECT_FALSE(*mended);
  const auto said = proposer.declined();
  ASSERT_EQ(said.size(), 2U);
  EXPECT_NE(said[0].find("the repair dropped the idea (barrier, tile)"), std::string::npos);
  EXPECT_NE(said[1].find("repairs of BuildFailed: 1 asked for, 1 answered, 0 kept the idea, 1 dropped it"),
            std::string::npos);
}

TEST(Repairs, ThatKeepTheIdeaAreTaken) {
  OneAnswer model(kernel_with("tile; barrier;"));
  ModelOptions options;
  options.transformations = words_in;
  ModelProposer proposer(model, options);
  const auto mended = proposer.repair(test::matmul_round(), fault_in("tile barrier vector"));
  ASSERT_TRUE(mended && *mended);
  EXPECT_EQ((*mended)->name, "idea+repaired");
  EXPECT_NE(proposer.declined().back().find("1 kept the idea"), std::string::npos);
}

TEST(Repairs, OfWhatNobodyRecognisesAreTaken) {
  EXPECT_FALSE(dropped_idea({}, {}));
  EXPECT_FALSE(dropped_idea({"a", "b"}, {"a", "c"}));
  EXPECT_TRUE(dropped_idea({"a", "b", "c"}, {"a"}));
}

std::vector<Parent> one_parent() {
  Parent parent;
  parent.made_of.name = "tiles";
  parent.made_of.source = "x";
  parent.made_of.space.parameters = {{"T", {std::int64_t{4}, std::int64_t{8}, std::int64_t{16}}, std::int64_t{4}},
                                     {"U", {std::int64_t{1}, std::int64_t{2}}, std::int64_t{1}}};
  parent.configuration = {{"T", std::int64_t{8}}, {"U", std::int64_t{2}}};
  return {parent};
}

TEST(Points, AreTheTemplateWithOtherDefaultsTheRestAsItWasBest) {
  const auto points = points_in(
      "Try:\n```json\n{\"template\": \"tiles\", \"configurations\": [{\"T\": 16}, {\"T\": 16}, {\"U\": 1}]}\n```\n",
      one_parent());
  ASSERT_TRUE(points && *points);
  ASSERT_EQ((*points)->size(), 2U);
  EXPECT_EQ(print(default_configuration((*points)->front().space)), "T=16 U=2");
  EXPECT_EQ(print(default_configuration((*points)->back().space)), "T=8 U=1");
}

TEST(Points, ThatDoNotExistGoBackWithTheReason) {
  const auto of = [](const std::string& json) { return points_in("```json\n" + json + "\n```\n", one_parent()); };
  EXPECT_NE(of(R"({"template": "other", "configurations": [{"T": 4}]})").error().message().find("`other`"),
            std::string::npos);
  EXPECT_EQ(of(R"({"template": "tiles", "configurations": [{"X": 4}]})").error().code(), "E-REPLY");
  EXPECT_EQ(of(R"({"template": "tiles", "configurations": [{"T": 5}]})").error().code(), "E-REPLY");
  EXPECT_EQ(of(R"({"template": "tiles", "configurations": []})").error().code(), "E-REPLY");
  EXPECT_FALSE(*of(R"({"directions": []})"));
}

TEST(Points, AreProposedTogether) {
  OneAnswer model("```json\n{\"template\": \"tiles\", \"configurations\": [{\"T\": 16}, {\"T\": 4}]}\n```\n");
  auto context = test::matmul_round();
  context.parents = one_parent();
  context.limit = 1;
  const auto proposed = ModelProposer(model, {}).propose(context);
  ASSERT_TRUE(proposed);
  EXPECT_EQ(proposed->size(), 2U);
}

TEST(Citations, AreTheNumbersOutsideOfTheCode) {
  EXPECT_EQ(patterns_cited("As pattern 2 and Pattern 1 say:\n```c\n// pattern 3\n```\npattern x, pattern 0"),
            (std::vector<std::size_t>{2, 1}));
}

TEST(Citations, NameTheTrialThatProvesThePatternAndNumbersThatWereNotShownAreNone) {
  OneAnswer model("Following pattern 1, not pattern 9.\n" + kernel_with("1;"));
  auto context = test::matmul_round();
  context.patterns = {{"lanes 0 4", "", "", 2, 2, 2, "trial-7", {}, ""}};
  context.limit = 1;
  ModelProposer proposer(model, {});
  ASSERT_EQ(proposer.propose(context)->size(), 1U);
  ASSERT_EQ(proposer.citations().size(), 1U);
  EXPECT_EQ(proposer.citations().front().trial, "trial-7");
}

}  // namespace
}  // namespace hone::agents
