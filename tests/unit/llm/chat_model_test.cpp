// A scripted server on loopback plays every way in which a model's server disappoints.
#include "llm/chat_model.hpp"

#include <gtest/gtest.h>
#include <httplib.h>

#include <nlohmann/json.hpp>
#include <thread>

namespace hone::llm {
namespace {

const std::string hello = R"({"choices":[{"message":{"content":"hello"},"finish_reason":"stop"}]})";

class ScriptedServer {
 public:
  struct Step {
    int status = 200;
    std::string body;
    std::multimap<std::string, std::string> headers;
  };

  explicit ScriptedServer(std::vector<Step> steps) : steps_(std::move(steps)) {
    server_.Post(".*", [this](const httplib::Request& request, httplib::Response& response) {
      requests.push_back(request);
      const Step step = steps_[std::min(requests.size(), steps_.size()) - 1];
      response.status = step.status;
      for (const auto& [name, value] : step.headers) response.set_header(name, value);
      response.set_content(step.body, "application/json");
    });
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~ScriptedServer() {
    server_.stop();
    thread_.join();
  }
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  Endpoint endpoint(Protocol protocol = Protocol::OpenAi) const {
    Endpoint out;
    out.protocol = protocol;
    out.base_url = "http://127.0.0.1:" + std::to_string(port_) + "/v1";
    out.key = "sekret";
    out.model = "m";
    out.retries = {2, Milliseconds(1), Milliseconds(5)};
    return out;
  }

  std::vector<httplib::Request> requests;

 private:
  std::vector<Step> steps_;
  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
};

std::string asked(ScriptedServer& server, Protocol protocol = Protocol::OpenAi) {
  auto reply = ChatModel(server.endpoint(protocol)).complete("prompt", Seconds(20));
  return reply ? reply->text : reply.error().text();
}

TEST(ChatModel, SendsThePromptAndTheKeyAndReadsTheText) {
  ScriptedServer server({{200, hello, {}}});
  EXPECT_EQ(asked(server), "hello");
  const auto& request = server.requests.at(0);
  EXPECT_EQ(request.path, "/v1/chat/completions");
  EXPECT_EQ(request.get_header_value("authorization"), "Bearer sekret");
  const auto body = nlohmann::json::parse(request.body);
  EXPECT_EQ(body["model"], "m");
  EXPECT_EQ(body["messages"][0]["content"], "prompt");
  EXPECT_EQ(request.body.find("sekret"), std::string::npos);
}

TEST(ChatModel, SpeaksAnthropicsMessages) {
  ScriptedServer server(
      {{200, R"({"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"stop_reason":"end_turn"})", {}}});
  EXPECT_EQ(asked(server, Protocol::Anthropic), "ab");
  EXPECT_EQ(server.requests.at(0).path, "/v1/messages");
  EXPECT_EQ(server.requests.at(0).get_header_value("x-api-key"), "sekret");
}

TEST(ChatModel, TriesAgainWhenTheServerIsBusyOrBroken) {
  ScriptedServer server({{429, "{}", {{"Retry-After", "0"}}}, {500, "oops", {}}, {200, hello, {}}});
  EXPECT_EQ(asked(server), "hello");
  EXPECT_EQ(server.requests.size(), 3u);
}

TEST(ChatModel, GivesUpAfterItsRetriesAndSaysWhatTheServerSaid) {
  ScriptedServer server({{503, R"({"error":{"message":"overloaded"}})", {}}});
  EXPECT_EQ(asked(server), "E-MODEL  openai:m answered 503: overloaded");
  EXPECT_EQ(server.requests.size(), 3u);
}

TEST(ChatModel, DoesNotRetryARefusalAndNeverShowsTheKey) {
  ScriptedServer server({{401, R"({"error":{"message":"bad key sekret"}})", {}}});
  EXPECT_EQ(asked(server),
            "E-MODEL  openai:m answered 401: bad key (key)\n"
            "  next: check the key in HONE_API_KEY, OPENAI_API_KEY or ANTHROPIC_API_KEY");
  EXPECT_EQ(server.requests.size(), 1u);
}

TEST(ChatModel, SaysWhenTheAnswerIsCutGarbageOrEmpty) {
  ScriptedServer cut({{200, hello.substr(0, 30), {}}});
  EXPECT_EQ(asked(cut), "E-REPLY  asking openai:m: the server's answer is not JSON: " + hello.substr(0, 30));
  ScriptedServer garbage({{200, "<html>\n\x01", {}}});
  EXPECT_EQ(asked(garbage), "E-REPLY  asking openai:m: the server's answer is not JSON: <html>  ");
  ScriptedServer other({{200, R"({"choices":[]})", {}}});
  EXPECT_EQ(asked(other), "E-REPLY  asking openai:m: the server's answer has no text: {\"choices\":[]}");
}

TEST(ChatModel, EndsWhenTheServerStaysSilent) {
  httplib::Server silent;
  std::atomic<bool> release = false;
  silent.Post(".*", [&](const httplib::Request&, httplib::Response&) {
    while (!release) std::this_thread::yield();
  });
  Endpoint endpoint;
  endpoint.base_url = "http://127.0.0.1:" + std::to_string(silent.bind_to_any_port("127.0.0.1"));
  endpoint.model = "m";
  std::thread thread([&] { silent.listen_after_bind(); });
  auto reply = ChatModel(endpoint).complete("prompt", Seconds(0.2));
  release = true;
  silent.stop();
  thread.join();
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code(), "E-HTTP");
}

TEST(ChatModel, HearsAStopWhileTheServerIsSilentAndWhileItPauses) {
  httplib::Server silent;
  std::atomic<bool> release = false;
  std::atomic<bool> asked = false;
  silent.Post(".*", [&](const httplib::Request&, httplib::Response&) {
    asked = true;
    while (!release) std::this_thread::yield();
  });
  Endpoint endpoint;
  endpoint.base_url = "http://127.0.0.1:" + std::to_string(silent.bind_to_any_port("127.0.0.1"));
  std::thread thread([&] { silent.listen_after_bind(); });
  const auto reply = ChatModel(endpoint, [&] { return asked.load(); }).complete("prompt", Seconds(600));
  release = true;
  silent.stop();
  thread.join();
  EXPECT_EQ(reply.error().code(), "E-STOPPED");

  ScriptedServer busy({{429, "{}", {{"Retry-After", "500"}}}});
  const auto paused =
      ChatModel(busy.endpoint(), [&] { return !busy.requests.empty(); }).complete("prompt", Seconds(600));
  EXPECT_EQ(paused.error().code(), "E-STOPPED");
}

TEST(ChatModel, DoesNotWaitForLongerThanItHasAndSaysWhenToComeBack) {
  ScriptedServer server({{429, "{}", {{"Retry-After", "500"}}}});
  EXPECT_NE(asked(server).find("run the same command again in 500 s"), std::string::npos);
  EXPECT_EQ(server.requests.size(), 1u);
}

TEST(ChatModel, SpeaksResponsesAndCountsTokensAsTheServerDoes) {
  ScriptedServer server(
      {{200,
        R"({"output":[{"type":"reasoning"},{"type":"message","content":[{"type":"output_text","text":"hi"}]}],
                              "usage":{"input_tokens":10,"input_tokens_details":{"cached_tokens":4},
                                       "output_tokens":7,"output_tokens_details":{"reasoning_tokens":5}}})",
        {}}});
  const auto reply = ChatModel(server.endpoint(Protocol::Responses)).complete("prompt", Seconds(20));
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->text, "hi");
  EXPECT_EQ(reply->usage, (Usage{10, 4, 7, 5}));
  EXPECT_EQ(server.requests.at(0).path, "/v1/responses");
}

TEST(ChatRequest, AsksForTheRestOfAnAnswerThatWasCut) {
  Question question("prompt");
  question.answered = "half";
  const auto body = nlohmann::json::parse(chat_request({}, question).body);
  ASSERT_EQ(body["messages"].size(), 3u);
  EXPECT_EQ(body["messages"][1]["content"], "half");
  EXPECT_EQ(body["messages"][1]["role"], "assistant");
}

TEST(ChatRequest, TakesSystemTextOptionsAndHeaders) {
  Endpoint endpoint;
  endpoint.system = "be brief";
  endpoint.options = R"({"temperature": 0.2, "reasoning_effort": "high"})";
  endpoint.headers = {"x-relay: 1"};
  const auto request = chat_request(endpoint, "prompt");
  const auto body = nlohmann::json::parse(request.body);
  EXPECT_EQ(body["messages"][0]["role"], "system");
  EXPECT_EQ(body["temperature"], 0.2);
  EXPECT_EQ(body["reasoning_effort"], "high");
  EXPECT_EQ(request.headers.back(), "x-relay: 1");
}

TEST(ChatModel, FailsWhenNobodyListens) {
  Endpoint endpoint;
  endpoint.base_url = "http://127.0.0.1:1";
  endpoint.retries = {1, Milliseconds(1), Milliseconds(1)};
  auto reply = ChatModel(endpoint).complete("prompt", Seconds(5));
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code(), "E-HTTP");
}

TEST(Reply, IsJoinedFromAStreamOfEvents) {
  const std::string openai =
      "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\"}}]}\n\n"
      "data: {\"choices\":[{\"delta\":{\"content\":\"he\"}}]}\r\n\r\n"
      "data: {\"choices\":[{\"delta\":{\"content\":\"llo\"},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n";
  EXPECT_EQ(reply_of(Protocol::OpenAi, openai)->text, "hello");
  EXPECT_TRUE(reply_of(Protocol::OpenAi, openai)->cut);
  const std::string anthropic =
      "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"text\":\"hey\"}}\n\n"
      "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
  EXPECT_EQ(reply_of(Protocol::Anthropic, anthropic)->text, "hey");
}

TEST(Reply, FromABrokenStreamIsAnError) {
  EXPECT_EQ(reply_of(Protocol::OpenAi, "data: {\"choices\":[{\"delta\":{\"content\":\"he\"}}]}\n\n").error().message(),
            "the stream ended before the reply was complete");
  EXPECT_EQ(reply_of(Protocol::OpenAi, "data: {\"choi").error().message(), "the stream broke off in: {\"choi");
}

TEST(ChatRequest, SurvivesBytesThatAreNoUtf8) {
  EXPECT_FALSE(nlohmann::json::parse(chat_request({}, "\xff\xfe").body, nullptr, false).is_discarded());
}

}  // namespace
}  // namespace hone::llm
