#include "app/session/protocol.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/result.hpp"

namespace hone::app {
namespace {

using nlohmann::json;

struct Speaking : testing::Test {
  Speaking() {
    calls.version = "9";
    calls.tools = json::array({{{"name", "check"}, {"inputSchema", json::object()}}});
    calls.agent = "nobody";
    calls.run = [this](const std::string& name, const json& arguments, const std::string& agent) -> Result<Answer> {
      asked.push_back(agent + ":" + name + ":" + arguments.dump());
      if (arguments.contains("wrong")) return fail("E-REQUEST", "wrong", "less");
      Answer answer;
      answer.code = ExitCode::No;
      answer.text = "not faster\n";
      answer.data = {{"proven", false}};
      return answer;
    };
  }
  json said(Tongue& tongue, const std::string& line) { return json::parse(tongue.answer(line)); }
  int rpc_code(const std::string& line) { return said(rpc, line).at("error").at("code").get<int>(); }

  Callable calls;
  std::vector<std::string> asked;
  JsonLines lines{calls};
  ModelContext rpc{calls};
};

TEST_F(Speaking, ALineIsAnsweredWithItsIdCodeTextAndData) {
  const auto answer = said(lines, R"({"id": "a", "call": "check", "arguments": {"x": "y"}, "agent": "me"})");
  EXPECT_EQ(answer.at("id"), "a");
  EXPECT_EQ(answer.at("code"), 1);
  EXPECT_EQ(answer.at("data").at("proven"), false);
  EXPECT_EQ(asked, std::vector<std::string>{R"(me:check:{"x":"y"})"});
}

TEST_F(Speaking, WhatIsNoRequestIsAnsweredWithAnErrorAndNothingRuns) {
  for (const auto* line : {"", "{", "[]", "7", "null", R"({"id": {}, "call": "check"})", R"({"call": 7})", "\xff\xfe"})
    EXPECT_EQ(said(lines, line).at("error").at("code"), "E-REQUEST") << line;
  EXPECT_TRUE(asked.empty());
}

TEST_F(Speaking, ValuesNestedWithoutEndAreRefused) {
  const std::string deep(200000, '[');
  EXPECT_EQ(said(lines, R"({"call": "check", "arguments": )" + deep).at("error").at("code"), "E-REQUEST");
  const std::string closed = R"({"jsonrpc": "2.0", "id": )" + std::string(5000, '[') + std::string(5000, ']') + "}";
  EXPECT_EQ(rpc_code(closed), -32700);
  EXPECT_TRUE(asked.empty());
}

TEST_F(Speaking, ErrorsOfCallsComeWithTheirNextStep) {
  const auto answer = said(lines, R"({"id": 1, "call": "check", "arguments": {"wrong": true}})");
  EXPECT_EQ(answer.at("error").at("next"), "less");
  EXPECT_EQ(answer.at("id"), 1);
}

TEST_F(Speaking, TheVersionOfTheProtocolIsTheClientsWhereItIsKnownAndElseTheNewest) {
  const auto with = [&](const std::string& version) {
    return said(rpc, R"({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": ")" +
                         version + R"(", "clientInfo": {"name": "painter", "version": "1"}}})")
        .at("result");
  };
  EXPECT_EQ(with("2024-11-05").at("protocolVersion"), "2024-11-05");
  EXPECT_EQ(with("1999-01-01").at("protocolVersion"), "2025-06-18");
  EXPECT_EQ(with("x").at("serverInfo").at("version"), "9");
  EXPECT_TRUE(with("x").at("capabilities").contains("tools"));
}

TEST_F(Speaking, ACallOfAToolCarriesTheClientsName) {
  rpc.answer(R"({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"clientInfo": {"name": "painter"}}})");
  const auto answer =
      said(rpc, R"({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "check"}})").at("result");
  EXPECT_EQ(answer.at("isError"), false);
  EXPECT_EQ(answer.at("content").at(0).at("text"), "not faster\n");
  EXPECT_EQ(answer.at("structuredContent").at("proven"), false);
  EXPECT_EQ(asked, std::vector<std::string>{"painter:check:{}"});
}

TEST_F(Speaking, AFailedCallIsAResultThatSaysSo) {
  const auto answer =
      said(
          rpc,
          R"({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "check", "arguments": {"wrong": 1}}})")
          .at("result");
  EXPECT_EQ(answer.at("isError"), true);
  EXPECT_NE(answer.at("content").at(0).at("text").get<std::string>().find("next: less"), std::string::npos);
}

TEST_F(Speaking, EachKindOfMistakeHasItsCodeOfJsonRpc) {
  EXPECT_EQ(rpc_code("{"), -32700);
  EXPECT_EQ(rpc_code("7"), -32600);
  EXPECT_EQ(rpc_code("[]"), -32600);
  EXPECT_EQ(rpc_code(R"({"id": 1, "method": "ping"})"), -32600);
  EXPECT_EQ(rpc_code(R"({"jsonrpc": "2.0", "id": 1})"), -32600);
  EXPECT_EQ(rpc_code(R"({"jsonrpc": "2.0", "id": 1, "method": "resources/list"})"), -32601);
  EXPECT_EQ(rpc_code(R"({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": []})"), -32602);
  EXPECT_EQ(rpc_code(R"({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "rm"}})"), -32602);
  EXPECT_EQ(
      rpc_code(R"({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "check", "arguments": 1}})"),
      -32602);
  EXPECT_TRUE(asked.empty());
}

TEST_F(Speaking, NotificationsAndAnswersOfOthersGetNoAnswer) {
  EXPECT_EQ(rpc.answer(R"({"jsonrpc": "2.0", "method": "notifications/initialized"})"), "");
  EXPECT_EQ(rpc.answer(R"({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "check"}})"), "");
  EXPECT_EQ(rpc.answer(R"({"jsonrpc": "2.0", "id": 5, "result": {}})"), "");
  EXPECT_EQ(rpc.answer("  "), "");
  EXPECT_TRUE(asked.empty());
}

TEST_F(Speaking, ABatchIsAnsweredAsOne) {
  const auto answer = said(rpc, R"([{"jsonrpc": "2.0", "id": 1, "method": "ping"}, {"jsonrpc": "2.0", "method": "x"},
                                    {"jsonrpc": "2.0", "id": 2, "method": "nothing"}])");
  ASSERT_EQ(answer.size(), 2U);
  EXPECT_EQ(answer.at(0).at("result"), json::object());
  EXPECT_EQ(answer.at(1).at("error").at("code"), -32601);
}

TEST_F(Speaking, TextThatIsNoUtf8StillMakesALineOfJson) {
  calls.run = [](const std::string&, const json&, const std::string&) -> Result<Answer> {
    Answer answer;
    answer.text = "log: \xff\n";
    return answer;
  };
  EXPECT_NO_THROW(said(rpc, R"({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "check"}})"));
}

}  // namespace
}  // namespace hone::app
