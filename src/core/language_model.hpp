#pragma once
// A language model as the agents see it: a question in, a text out. llm/ implements it over HTTP, a command or a
// mailbox; tests fake it. Nothing a reply says is trusted.

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "base/units.hpp"

namespace hone {

/// A prompt, and which question of the run it is: a reply is kept and found again by that, never by the prompt's text,
/// which holds measured times.
struct Question {
  Question() = default;
  Question(std::string text) : prompt(std::move(text)) {}  // NOLINT: a prompt alone is a question
  Question(const char* text) : prompt(text) {}             // NOLINT
  std::string prompt;
  std::string answered = {};      // what has come of an answer that was cut: the rest is wanted
  std::string role = "generate";  // "generate", "repair", "plan"
  int round = 0, slot = 0, attempt = 0;
  /// "r2-s1-a0-generate"
  std::string key() const {
    return "r" + std::to_string(round) + "-s" + std::to_string(slot) + "-a" + std::to_string(attempt) + "-" + role;
  }
};

/// As the server counts them; reasoning tokens are among the output ones, cached ones among the input ones.
struct Usage {
  std::int64_t input = 0, cached = 0, output = 0, reasoning = 0;
  Usage& operator+=(const Usage& more) {
    input += more.input, cached += more.cached, output += more.output, reasoning += more.reasoning;
    return *this;
  }
  bool operator==(const Usage&) const = default;
};

struct Reply {
  std::string text;
  bool cut = false;  // the model stopped at its length limit
  Usage usage = {};
};

class LanguageModel {
 public:
  virtual ~LanguageModel() = default;
  /// "openai:gpt-4o", "mailbox:DIR", as given to --model.
  virtual std::string name() const = 0;
  /// E-STOPPED when somebody wants the run to end; E-SPENT when the limits of the run allow no more questions.
  virtual Result<Reply> complete(const Question& question, Seconds timeout) = 0;
  /// Its answers are computed on another machine, or by a person: waiting for them disturbs no measurement.
  virtual bool is_elsewhere() const { return false; }
};

}  // namespace hone
