#pragma once
// `mailbox:DIR`: for people with a chat window and no key. The prompt is written to a file, the reply awaited in
// another. Both are named by the question (round, slot, attempt) and the prompt's
// hash, so that a run that is resumed finds a reply that came meanwhile.

#include "llm/provider.hpp"

namespace hone::llm {

class MailboxModel : public LanguageModel {
 public:
  MailboxModel(std::string folder, Notice notice, Milliseconds pause = Milliseconds(200), Stop stop = {})
      : folder_(std::move(folder)), notice_(std::move(notice)), pause_(pause), stop_(std::move(stop)) {}
  std::string name() const override { return "mailbox:" + folder_; }
  Result<Reply> complete(const Question& question, Seconds timeout) override;
  bool is_elsewhere() const override { return true; }

 private:
  std::string folder_;
  Notice notice_;
  Milliseconds pause_;  // between two looks
  Stop stop_;
};

extern const Provider mailbox_provider;

}  // namespace hone::llm
