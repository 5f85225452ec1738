#pragma once
// Templates that a person or an agent handed in. They are proposed in the first round; nobody is asked to repair them.

#include <vector>

#include "core/proposer.hpp"

namespace hone::app {

class PersonProposer final : public Proposer {
 public:
  PersonProposer(std::string name, std::vector<Template> templates)
      : name_(std::move(name)), templates_(std::move(templates)) {}
  std::string name() const override { return name_; }
  Result<std::vector<Template>> propose(const RoundContext& context) override {
    return context.round == 1 ? templates_ : std::vector<Template>{};
  }
  Result<std::optional<Template>> repair(const RoundContext&, const Fault&) override { return std::nullopt; }
  std::vector<std::string> declined() const override { return {}; }

 private:
  std::string name_;  // "person", or "agent:NAME"
  std::vector<Template> templates_;
};

}  // namespace hone::app
