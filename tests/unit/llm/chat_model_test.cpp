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

/// Says its lines, then nothing, until it is told to end.
class StallingServer {
 public:
  explicit StallingServer(std::string begin) {
    server_.Post(".*", [this, begin](const httplib::Request&, httplib::Response& response) {
      ++asked;
      response.set_chunked_content_provider("text/event-stream",
                                            [this, begin](std::size_t at, httplib::DataSink& sink) {
                                              if (at == 0 && !begin.empty())
                                                return sink.write(begin.data(), begin.size());
                                              while (!end_) std::this_thread::yield();
                                              sink.done();
                                              return true;
                                            });
    });
    endpoint.base_url = "http://127.0.0.1:" + std::to_string(server_.bind_to_any_port("127.0.0.1"));
    endpoint.model = "m";
    endpoint.stream = true;
    endpoint.first_byte = endpoint.stall = Seconds(0.2);
    endpoint.retries = {1, Milliseconds(1), Milliseconds(1)};
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~StallingServer() {
    end_ = true;
    server_.stop();
    thread_.join();
  }
  StallingServer(const StallingServer&) = delete;
  StallingServer& operator=(const StallingServer&) = delete;
  Endpoint endpoint;
  std::atomic<int> asked = 0;

 private:
  httplib::Server server_;
  std::atomic<bool> end_ = false;
  std::thread thread_;
};

TEST(ChatModel, LeavesAStreamThatStallsWithWhatCameAndIsNotAskedAgainForThat) {
  StallingServer server("data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n");
  const auto reply = ChatModel(server.endpoint).complete("prompt", Seconds(60));
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->text, "half");
  EXPECT_TRUE(reply->cut);
  EXPECT_EQ(server.asked, 1);
}

TEST(ChatModel, TriesAgainWhereNothingComesAtAll) {
  StallingServer server("");
  const auto reply = ChatModel(server.endpoint).complete("prompt", Seconds(60));
  ASSERT_FALSE(reply);
  EXPECT_NE(reply.error().message().find("nothing came within 0.2 s"), std::string::npos) << reply.error().text();
  EXPECT_EQ(server.asked, 2);
}

TEST(ChatModel, EndsAStreamWhoseServerKeepsTheConnectionAfterItsEnd) {
  StallingServer server("data: {\"choices\":[{\"delta\":{\"content\":\"all\"}}]}\n\ndata: [DONE]\n\n");
  server.endpoint.stall = Seconds(0);
  const auto reply = ChatModel(server.endpoint).complete("prompt", Seconds(60));
  ASSERT_TRUE(reply) << reply.error().text();
  EXPECT_EQ(reply->text, "all");
  EXPECT_FALSE(reply->cut);
}

TEST(ChatModel, RefusesAnAnswerWithoutEnd) {
  ScriptedServer server({{200, std::string(std::size_t{17} << 20U, ' '), {}}});
  EXPECT_NE(asked(server).find("E-HTTP"), std::string::npos);
}

TEST(ChatModel, KnowsAServerOnThisMachine) {
  for (const auto* here :
       {"http://localhost:8080/v1", "http://127.0.0.1/v1", "http://[::1]:11434/v1", "http://me@127.1.2.3"})
    EXPECT_TRUE(is_loopback(here)) << here;
  for (const auto* there : {"https://api.openai.com/v1", "http://10.0.0.1:8080", "http://localhost.example.org",
                            "http://example.org/localhost"})
    EXPECT_FALSE(is_loopback(there)) << there;
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
  EXPECT_EQ(reply_of(Protocol::OpenAi, "data: {\"choi").error().message(), "the stream broke off in: {\"choi");
  EXPECT_EQ(reply_of(Protocol::OpenAi, "data: {\"id\":1}\n\n").error().message(),
            "the stream ended before its text began");
  EXPECT_EQ(reply_of(Protocol::OpenAi, "data: {\"error\":{\"message\":\"full\"}}\n\n").error().message(),
            "the server ended the stream: full");
  EXPECT_EQ(reply_of(Protocol::OpenAi,
                     "data: {\"error\":" + std::string(1U << 20U, '[') + std::string(1U << 20U, ']') + "}\n\n")
                .error()
                .message(),
            "the server ended the stream: an error without a message");
}

TEST(Reply, CountsNoMoreTokensThanThereCanBeAndNeverFewerThanNone) {
  const auto reply =
      reply_of(Protocol::OpenAi,
               R"({"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":1e99,"completion_tokens":-5}})");
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->usage, (Usage{1000000000000000, 0, 0, 0}));
}

TEST(Reply, FromAStreamThatBreaksOffIsWhatCameAndTheRestIsWanted) {
  const std::string half = "data: {\"choices\":[{\"delta\":{\"content\":\"he\"}}]}\n\n";
  for (const auto& tail : {"", "data: {\"choi", "data: {\"error\":{\"message\":\"full\"}}\n\n"}) {
    const auto reply = reply_of(Protocol::OpenAi, half + tail);
    ASSERT_TRUE(reply) << tail;
    EXPECT_EQ(reply->text, "he");
    EXPECT_TRUE(reply->cut);
  }
}

TEST(ReplyStream, IsTheSameHoweverItIsCutIntoPieces) {
  const std::string body =
      "data: {\"choices\":[{\"delta\":{\"content\":\"h\u00e4\"}}]}\r\n\r\n: still here\n\n"
      "data: {\"choices\":[{\"delta\":{\"content\":\"llo\"},\"finish_reason\":\"stop\"}]}\n\n"
      "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}\n\ndata: [DONE]\n\n";
  for (std::size_t size = 1; size < body.size(); ++size) {
    ReplyStream stream(Protocol::OpenAi);
    bool complete = false;
    for (std::size_t at = 0; at < body.size(); at += size)
      complete = stream.take(std::string_view(body).substr(at, size)) || complete;
    EXPECT_TRUE(complete);
    const auto reply = stream.reply();
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->text, "h\u00e4llo");
    EXPECT_FALSE(reply->cut);
    EXPECT_EQ(reply->usage, (Usage{3, 0, 2, 0}));
  }
}

TEST(ChatRequest, SurvivesBytesThatAreNoUtf8) {
  EXPECT_FALSE(nlohmann::json::parse(chat_request({}, "\xff\xfe").body, nullptr, false).is_discarded());
}

}  // namespace
}  // namespace hone::llm
