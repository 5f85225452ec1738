#pragma once
// Models behind HTTP: OpenAI's chat completions, which many servers speak (llama.cpp, vLLM, Ollama, ...), and
// Anthropic's messages. What differs between them is how a request is written and where the text of an answer is.

#include "core/language_model.hpp"
#include "llm/http.hpp"
#include "llm/provider.hpp"

namespace hone::llm {

enum class Protocol { OpenAi, Anthropic };

struct Endpoint {
  Protocol protocol = Protocol::OpenAi;
  std::string base_url;  // "https://api.openai.com/v1"
  std::string key;       // may be empty for a local server
  std::string model;
  bool stream = false;
  int most_tokens = 8192;
  Retries retries;
};

class ChatModel : public LanguageModel {
 public:
  explicit ChatModel(Endpoint endpoint) : endpoint_(std::move(endpoint)) {}
  std::string name() const override;
  Result<Reply> complete(const std::string& prompt, Seconds timeout) override;

 private:
  Endpoint endpoint_;
};

HttpRequest chat_request(const Endpoint& endpoint, const std::string& prompt);
/// The text of a 200 answer, plain or as a stream of events. E-REPLY says what is missing and shows the beginning.
Result<Reply> reply_of(Protocol protocol, const std::string& body);

extern const Provider openai_provider, anthropic_provider;

}  // namespace hone::llm
