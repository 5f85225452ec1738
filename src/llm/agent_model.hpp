#pragma once
// `agent:NAME`: a command-line coding agent as a model. How it is called is said in a small file, NAME.json:
//
//   { "command": ["some-agent", "--print"],     words; {prompt} is the prompt, {prompt_file} a file with it
//     "prompt": "stdin",                         stdin, or words: it is in the command
//     "answer": "stdout",                        stdout, file:NAME (which the agent writes), or json:KEY of its stdout
//     "readable": ["~/.config/some-agent"],      what it needs beside the system's programs
//     "writable": [],
//     "environment": ["SOME_AGENT_KEY"] }        names of variables that are passed on
//
// It runs in an empty folder inside a sandbox where nothing else can be read: not the tree, the MEP or Hone's state.

#include "llm/provider.hpp"

namespace hone::llm {

struct AgentForm {
  std::vector<std::string> command;
  bool on_stdin = true;
  std::string answer = "stdout";
  std::vector<std::string> readable, writable, environment;
};
/// E-MODEL names what is wrong.
Result<AgentForm> agent_form_from(const std::string& json);

class AgentModel final : public LanguageModel {
 public:
  AgentModel(std::string name, AgentForm form, const Surroundings& surroundings)
      : name_(std::move(name)), form_(std::move(form)), surroundings_(surroundings) {}
  std::string name() const override { return "agent:" + name_; }
  Result<Reply> complete(const Question& question, Seconds timeout) override;

 private:
  std::string name_;
  AgentForm form_;
  Surroundings surroundings_;
};

extern const Provider agent_provider;

}  // namespace hone::llm
