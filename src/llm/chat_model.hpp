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
  Seconds first_byte{300}, stall{120};  // of a stream: how long nothing may come
};

/// "http://localhost:8080/v1", "http://127.0.0.1", "http://[::1]:11434".
bool is_loopback(const std::string& url);

class ChatModel : public LanguageModel {
 public:
  explicit ChatModel(Endpoint endpoint, Stop stop = {}) : endpoint_(std::move(endpoint)), stop_(std::move(stop)) {}
  std::string name() const override;
  Result<Reply> complete(const Question& question, Seconds timeout) override;
  /// Unless its server is on this machine, where it computes on the cores that measure.
  bool is_elsewhere() const override { return !is_loopback(endpoint_.base_url); }

 private:
  Endpoint endpoint_;
  Stop stop_;
};

HttpRequest chat_request(const Endpoint& endpoint, const Question& question);
/// A stream of events, read while it comes.
class ReplyStream {
 public:
  explicit ReplyStream(Protocol protocol) : protocol_(protocol) {}
  /// True when the events said that the answer is complete.
  bool take(std::string_view piece);
  /// There was an event in it: it is no plain answer.
  bool is_one() const { return events_ > 0; }
  /// What has come; an error when that is nothing. An answer whose end was not said is `cut`: the rest can be asked
  /// for.
  Result<Reply> reply() const;

 private:
  void line(std::string_view line);
  Protocol protocol_;
  std::string rest_;  // of a line that is not complete
  std::string fault_;
  std::size_t events_ = 0;
  bool ended_ = false, done_ = false;
  Reply reply_;
};

/// The text of a 200 answer, plain or as a stream of events. E-REPLY says what is missing and shows the beginning.
Result<Reply> reply_of(Protocol protocol, const std::string& body);

extern const Provider openai_provider, responses_provider, anthropic_provider;

}  // namespace hone::llm
