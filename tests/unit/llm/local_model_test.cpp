#include <gtest/gtest.h>

#include <filesystem>

#include "base/hash.hpp"
#include "llm/command_model.hpp"
#include "llm/mailbox_model.hpp"
#include "llm/open_model.hpp"
#include "os/files.hpp"

namespace hone::llm {
namespace {

TEST(CommandModel, GetsThePromptOnStdinAndRepliesOnStdout) {
  EXPECT_EQ(CommandModel("tr a-z A-Z").complete("fast, please", Seconds(20))->text, "FAST, PLEASE");
}

TEST(CommandModel, ThatFailsIsQuoted) {
  auto reply = CommandModel("echo no quota >&2; exit 3").complete("", Seconds(20));
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message(), "`echo no quota >&2; exit 3` ended with exit 3: no quota");
}

TEST(CommandModel, ThatHangsIsEnded) {
  auto reply = CommandModel("sleep 600").complete("", Seconds(0.1));
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code(), "E-MODEL");
}

TEST(CommandModel, IsEndedWhenSomebodyWantsToStop) {
  const auto reply = CommandModel("sleep 600", [] { return true; }).complete("", Seconds(600));
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code(), "E-STOPPED");
}

TEST(MailboxModel, IsLeftWhenSomebodyWantsToStop) {
  auto folder = os::TempFolder::make();
  MailboxModel model(folder->path().string(), [](const std::string&) {}, Milliseconds(1), [] { return true; });
  EXPECT_EQ(model.complete("q", Seconds(600)).error().code(), "E-STOPPED");
}

TEST(MailboxModel, NamesAQuestionOfARunByItsPlaceInIt) {
  auto folder = os::TempFolder::make();
  std::string told;
  Question question("q");
  question.round = 2;
  question.slot = 1;
  MailboxModel model(folder->path().string(), [&](const std::string& line) { told = line; }, Milliseconds(1));
  ASSERT_FALSE(model.complete(question, Seconds(0.01)));
  EXPECT_NE(told.find("prompt-r2-s1-a0-generate-"), std::string::npos) << told;
}

TEST(MailboxModel, WritesThePromptTellsThePersonAndReadsTheReply) {
  auto folder = os::TempFolder::make();
  const std::string id = content_hash("question").substr(0, 10);
  std::string told;
  MailboxModel model(
      folder->path().string(),
      [&](const std::string& line) {
        told = line;
        EXPECT_EQ(*os::read_text(folder->path() / ("prompt-" + id + ".md")), "question");
        ASSERT_TRUE(os::write_text(folder->path() / ("reply-" + id + ".md"), "answer"));
      },
      Milliseconds(1));
  EXPECT_EQ(model.complete("question", Seconds(20))->text, "answer");
  EXPECT_NE(told.find("reply-" + id + ".md"), std::string::npos);
}

TEST(MailboxModel, FindsAReplyThatCameWhileNobodyWaited) {
  auto folder = os::TempFolder::make();
  ASSERT_TRUE(os::write_text(folder->path() / ("reply-" + content_hash("q").substr(0, 10) + ".md"), "early"));
  MailboxModel model(folder->path().string(), [](const std::string& line) { FAIL() << line; }, Milliseconds(1));
  EXPECT_EQ(model.complete("q", Seconds(20))->text, "early");
}

TEST(MailboxModel, SaysWhereTheReplyIsAwaitedWhenTimeIsUp) {
  auto folder = os::TempFolder::make();
  MailboxModel model(folder->path().string(), [](const std::string&) {}, Milliseconds(1));
  auto reply = model.complete("q", Seconds(0.01));
  ASSERT_FALSE(reply);
  EXPECT_NE(reply.error().message().find("reply-"), std::string::npos);
}

TEST(OpenModel, TakesTheFourKindsAndRefusesTheRest) {
  const Surroundings none{[](const std::string&) { return std::nullopt; }};
  const Surroundings local{[](const std::string& name) {
    return name == "OPENAI_BASE_URL" ? std::optional<std::string>("http://127.0.0.1:9/v1/") : std::nullopt;
  }};
  EXPECT_EQ((*open_model("command:cat", none))->name(), "command:cat");
  EXPECT_EQ((*open_model("mailbox:/tmp/x", none))->name(), "mailbox:/tmp/x");
  EXPECT_EQ((*open_model("openai:gpt", local))->name(), "openai:gpt");
  EXPECT_EQ(open_model("anthropic:claude", none).error().message(), "https://api.anthropic.com/v1 wants a key");
  EXPECT_EQ(open_model("gpt", none).error().message(), "`gpt` names no model");
  EXPECT_EQ(open_model("command:", none).error().code(), "E-MODEL");
}

}  // namespace
}  // namespace hone::llm
