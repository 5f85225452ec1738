// Paths, lines and arguments of requests: what they may be before anything runs.

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "app/calls/all_calls.hpp"
#include "app/improve.hpp"
#include "app/session/confined_path.hpp"
#include "app/session/line_buffer.hpp"
#include "os/files.hpp"

namespace hone::app {
namespace {

namespace fs = std::filesystem;

struct Confined : testing::Test {
  os::TempFolder outer = *os::TempFolder::make();
  fs::path root = fs::canonical(outer.path()) / "workspace";
  Confined() {
    fs::create_directories(root / "inner");
    EXPECT_TRUE(os::write_text(outer.path() / "secret", "s"));
    EXPECT_TRUE(os::write_text(outer.path() / "workspace-beside" / "secret", "s"));
  }
};

TEST_F(Confined, PathsOfTheWorkspaceAreTakenFromItWhetherTheyAreThereOrNot) {
  const auto workspace = Workspace::at(root.string());
  EXPECT_EQ(*workspace->inside("inner"), root / "inner");
  EXPECT_EQ(*workspace->inside("inner/../new/file"), root / "new/file");
  EXPECT_EQ(*workspace->inside((root / "inner").string()), root / "inner");
  EXPECT_EQ(*workspace->inside(""), root);
}

TEST_F(Confined, WhatLeadsElsewhereIsRefusedHoweverItIsWritten) {
  const auto workspace = Workspace::at(root.string());
  fs::create_directory_symlink(outer.path(), root / "link");
  for (const auto& path : {std::string("../secret"), std::string("/etc/passwd"), std::string("inner/../../secret"),
                           std::string("link/secret"), (outer.path() / "workspace-beside/secret").string(),
                           std::string("../workspace-beside"), std::string("inner\0x", 7)})
    EXPECT_EQ(workspace->inside(path).error().code(), "E-OUTSIDE") << path;
}

TEST_F(Confined, AFolderWithALinkToElsewhereIsRefused) {
  const auto workspace = Workspace::at(root.string());
  fs::create_symlink(root / "inner", root / "own");
  EXPECT_TRUE(workspace->all_inside(root));
  fs::create_symlink(outer.path() / "secret", root / "inner" / "kernel.cl");
  EXPECT_EQ(workspace->all_inside(root).error().code(), "E-OUTSIDE");
}

TEST(Lines, ComeWholeHoweverTheirBytesCome) {
  LineBuffer lines(10);
  lines.add("ab");
  EXPECT_FALSE(lines.next());
  lines.add("c\r\nd\n\ne");
  EXPECT_EQ(lines.next()->text, "abc");
  EXPECT_EQ(lines.next()->text, "d");
  EXPECT_EQ(lines.next()->text, "");
  EXPECT_FALSE(lines.next());
  EXPECT_EQ(lines.last()->text, "e");
  EXPECT_FALSE(lines.last());
}

TEST(Lines, OneThatIsTooLongIsSaidToBeSoAndTheNextIsRead) {
  LineBuffer lines(4);
  lines.add("123456789");
  EXPECT_FALSE(lines.next());
  lines.add("0123456789");
  EXPECT_FALSE(lines.next());
  lines.add("1\nok\n");
  const auto long_one = lines.next();
  ASSERT_TRUE(long_one);
  EXPECT_TRUE(long_one->too_long);
  EXPECT_EQ(long_one->text, "");
  EXPECT_EQ(lines.next()->text, "ok");
}

TEST(Calls, EachHasAnObjectAsItsSchemaAndANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const auto* call : all_calls()) {
    EXPECT_TRUE(names.insert(call->name).second);
    EXPECT_EQ(schema_of(*call).at("type"), "object");
    EXPECT_FALSE(call->description.empty());
  }
  for (const auto* wanted : {"brief", "check", "tune", "profile", "suggest", "apply"})
    EXPECT_TRUE(names.contains(wanted)) << wanted;
}

TEST(Calls, RefuseArgumentsTheyDoNotKnowOrOfAnotherKindOrThatAreMissing) {
  using nlohmann::json;
  EXPECT_TRUE(check_arguments(check_call, {{"source", "x"}, {"configuration", {{"V", 4}, {"S", "row"}}}}));
  EXPECT_TRUE(check_arguments(check_call, {{"schedule", {"lanes 0 V"}}}));
  EXPECT_EQ(check_arguments(check_call, {{"souce", "x"}}).error().code(), "E-REQUEST");
  EXPECT_EQ(check_arguments(check_call, {{"source", 7}}).error().code(), "E-REQUEST");
  EXPECT_EQ(check_arguments(check_call, {{"schedule", "lanes"}}).error().code(), "E-REQUEST");
  EXPECT_EQ(check_arguments(check_call, {{"configuration", {{"V", json::array()}}}}).error().code(), "E-REQUEST");
  EXPECT_EQ(check_arguments(extract_call, json::object()).error().code(), "E-REQUEST");
  EXPECT_EQ(check_arguments(check_call, json::array()).error().code(), "E-REQUEST");
}

TEST(Agents, AreNamedInTheLogByWhatMayStandThere) {
  EXPECT_EQ(agent_proposer("painter-2.1"), "agent:painter-2.1");
  EXPECT_EQ(agent_proposer("a b\n\x1b[31m"), "agent:a-b---31m");
  EXPECT_EQ(agent_proposer(""), "person");
  EXPECT_EQ(agent_proposer(std::string(500, 'x')).size(), 70U);
}

}  // namespace
}  // namespace hone::app
