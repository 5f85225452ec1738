// Stand-ins for coding agents: shell scripts that do what such programs do, and some that they must not.
#include "llm/agent_model.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "llm/open_model.hpp"
#include "os/files.hpp"

namespace hone::llm {
namespace {

Surroundings here() { return {process_environment()}; }

std::string answered(const std::string& form, const std::string& prompt = "the prompt") {
  auto read = agent_form_from(form);
  if (!read) return read.error().text();
  auto reply = AgentModel("stand-in", *read, here()).complete(prompt, Seconds(30));
  return reply ? reply->text : reply.error().text();
}

struct Agents : testing::Test {
  void SetUp() override {
    if (!os::find_program("bwrap").empty()) return;
    if (std::getenv("HONE_MUST_RUN") != nullptr) FAIL() << "scripts/setup installs bwrap";
    GTEST_SKIP() << "bwrap is not here";
  }
};

TEST_F(Agents, GetThePromptOnStdinInAFileOrAsAWord) {
  EXPECT_EQ(answered(R"({"command": ["cat"]})"), "the prompt");
  EXPECT_EQ(answered(R"({"command": ["cat", "{prompt_file}"]})"), "the prompt");
  EXPECT_EQ(answered(R"({"command": ["printf", "%s", "{prompt}"], "prompt": "words"})"), "the prompt");
}

TEST_F(Agents, AnswerOnStdoutInAFileOrInJson) {
  EXPECT_EQ(answered(R"({"command": ["sh", "-c", "echo hi > reply.md"], "answer": "file:reply.md"})"), "hi\n");
  EXPECT_EQ(answered(R"({"command": ["echo", "{\"result\": \"hi\"}"], "answer": "json:result"})"), "hi");
}

TEST_F(Agents, SeeAnEmptyFolderAndNothingOfThisTree) {
  EXPECT_EQ(answered(R"({"command": ["ls"]})"), "prompt.md\n");
  const std::string tree = HONE_SOURCE_DIR;
  EXPECT_EQ(answered(R"({"command": ["sh", "-c", "ls )" + tree + R"( 2> /dev/null; true"]})"), "");
  auto secret = os::TempFolder::make("secret");
  ASSERT_TRUE(os::write_text(secret->path() / "key", "sekret"));
  EXPECT_EQ(
      answered(R"({"command": ["sh", "-c", "cat )" + (secret->path() / "key").string() + R"( 2> /dev/null; true"]})"),
      "");
}

TEST_F(Agents, CannotLeadHoneToAFileByALink) {
  EXPECT_NE(answered(R"({"command": ["ln", "-s", "/etc/passwd", "reply.md"], "answer": "file:reply.md"})")
                .find("reply.md is no plain file"),
            std::string::npos);
}

TEST_F(Agents, GetOnlyTheVariablesThatTheirFileNames) {
  ::setenv("HONE_TEST_GIVEN", "given", 1);
  ::setenv("HONE_TEST_KEPT", "kept", 1);
  EXPECT_EQ(
      answered(
          R"({"command": ["sh", "-c", "echo $HONE_TEST_GIVEN-$HONE_TEST_KEPT"], "environment": ["HONE_TEST_GIVEN"]})"),
      "given-\n");
}

TEST_F(Agents, ThatFailAreQuoted) {
  EXPECT_EQ(answered(R"({"command": ["sh", "-c", "echo no quota >&2; exit 3"]})"),
            "E-MODEL  agent:stand-in ended with exit 3: no quota");
}

TEST(AgentForm, SaysWhatIsWrongWithIt) {
  EXPECT_EQ(agent_form_from("{}").error().message(), "`command` must be a list of words");
  EXPECT_EQ(agent_form_from(R"({"command": ["a"], "answer": "file:../x"})").error().message(),
            "`answer` is stdout, file:NAME or json:KEY");
  EXPECT_EQ(agent_form_from(R"({"command": ["a"], "prompt": "mail"})").error().message(), "`prompt` is stdin or words");
}

}  // namespace
}  // namespace hone::llm
