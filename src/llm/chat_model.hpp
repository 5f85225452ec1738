#pragma once
// Models behind HTTP: OpenAI's chat completions, which many servers speak (llama.cpp, vLLM, Ollama, ...), OpenAI's
// responses, and Anthropic's messages. What differs between them is how a request is written and where the text of an
// answer is.

#include "core/language_model.hpp"
#include "llm/http.hpp"
#include "llm/provider.hpp"

namespace hone::llm {

enum class Protocol { OpenAi, Responses, Anthropic };

struct Endpoint {
  Protocol protocol = Protocol::OpenAi;
  std::string base_url;  // "https://api.openai.com/v1"
  std::string key;       // may be empty for a local server
  std::string model;
  bool stream = false;
  int most_tokens = 8192;            // of one answer
  std::string system;                // text for the system's role; may be empty
  std::string options;               // a JSON object whose members are added to the request: temperature, grammar, ...
  std::vector<std::string> headers;  // "name: value", for relays
  Retries retries;
};

class ChatModel : public LanguageModel {
 public:
  explicit ChatModel(Endpoint endpoint, Stop stop = {}) : endpoint_(std::move(endpoint)), stop_(std::move(stop)) {}
  std::string name() const override;
  Result<Reply> complete(const Question& question, Seconds timeout) override;

 private:
  Endpoint endpoint_;
  Stop stop_;
};

HttpRequest chat_request(const Endpoint& endpoint, const Question& question);
/// The text of a 200 answer, plain or as a stream of events. E-REPLY says what is missing and shows the beginning.
Result<Reply> reply_of(Protocol protocol, const std::string& body);

extern const Provider openai_provider, responses_provider, anthropic_provider;

}  // namespace hone::llm
