#pragma once
// `command:PROG`: the prompt on its standard input, the reply on its standard output.

#include "llm/provider.hpp"

namespace hone::llm {

class CommandModel : public LanguageModel {
 public:
  explicit CommandModel(std::string command) : command_(std::move(command)) {}
  std::string name() const override { return "command:" + command_; }
  Result<Reply> complete(const std::string& prompt, Seconds timeout) override;

 private:
  std::string command_;
};

extern const Provider command_provider;

}  // namespace hone::llm
