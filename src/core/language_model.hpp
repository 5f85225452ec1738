#pragma once
// A language model as the agents see it: a prompt in, a text out. llm/ implements it over HTTP, a command or a mailbox;
// tests fake it. Nothing a reply says is trusted.

#include <string>

#include "base/result.hpp"
#include "base/units.hpp"

namespace hone {

struct Reply {
  std::string text;
  bool cut = false;  // the model stopped at its length limit
};

class LanguageModel {
 public:
  virtual ~LanguageModel() = default;
  /// "openai:gpt-4o", "mailbox:DIR", as given to --model.
  virtual std::string name() const = 0;
  virtual Result<Reply> complete(const std::string& prompt, Seconds timeout) = 0;
};

}  // namespace hone
