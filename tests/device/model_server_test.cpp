// A real model behind a real server (scripts/model-server). It is far too small to be of use: what is tested is that a
// model that talks nonsense is survived, streaming or not.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <optional>

#include "agents/model_proposer.hpp"
#include "base/text.hpp"
#include "llm/chat_model.hpp"
#include "os/process.hpp"
#include "round.hpp"

namespace hone {
namespace {

const std::string script = std::string(HONE_SOURCE_DIR) + "/scripts/model-server";

/// Ends with the test, because its input is closed then.
class ModelServer {
 public:
  ModelServer() {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) return;
    os::Command command;
    command.words = {script, "run"};
    auto child = os::Child::spawn(command, in[0], out[1], -1);
    close(in[0]);
    close(out[1]);
    input_ = in[1];
    if (child) child_.emplace(std::move(*child));
    char c = 0;
    while (child_ && read(out[0], &c, 1) == 1 && c != '\n') url += c;
    close(out[0]);
  }
  ~ModelServer() {
    close(input_);
    if (child_) child_->end();
  }
  ModelServer(const ModelServer&) = delete;
  ModelServer& operator=(const ModelServer&) = delete;

  std::string url;

 private:
  int input_ = -1;
  std::optional<os::Child> child_;
};

TEST(ModelServer, AnswersAndItsNonsenseIsSurvived) {
  if (!std::filesystem::exists(std::string(HONE_SOURCE_DIR) + "/.venv/model/SmolLM2-135M-Instruct.gguf"))
    GTEST_SKIP() << "no model server here; to try it: scripts/model-server install";
  const ModelServer server;
  ASSERT_TRUE(server.url.starts_with("http://127.0.0.1:")) << server.url;
  llm::Endpoint endpoint;
  endpoint.base_url = server.url;
  endpoint.model = "smollm2";
  for (const bool stream : {false, true}) {
    endpoint.stream = stream;
    auto reply = llm::ChatModel(endpoint).complete("Say hello.", Seconds(60));
    ASSERT_TRUE(reply) << reply.error().text();
    EXPECT_FALSE(trim(reply->text).empty());
  }
  llm::ChatModel model(endpoint);
  auto context = agents::test::matmul_round();
  context.limit = 1;
  agents::ModelProposer proposer(model, {});
  auto templates = proposer.propose(context);
  ASSERT_TRUE(templates) << templates.error().text();
  EXPECT_TRUE(!templates->empty() || !proposer.declined().empty());
}

}  // namespace
}  // namespace hone
