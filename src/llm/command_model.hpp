#pragma once
// `command:PROG`: the prompt on its standard input, the reply on its standard output.

#include "llm/provider.hpp"

namespace hone::llm {

class CommandModel : public LanguageModel {
 public:
  explicit CommandModel(std::string command, Stop stop = {}) : command_(std::move(command)), stop_(std::move(stop)) {}
  std::string name() const override { return "command:" + command_; }
  Result<Reply> complete(const Question& question, Seconds timeout) override;

 private:
  std::string command_;
  Stop stop_;
};

extern const Provider command_provider;

}  // namespace hone::llm
