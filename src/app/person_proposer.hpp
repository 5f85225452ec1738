#pragma once
// A person's templates, given as folders. They are proposed in the first round; a person is not asked to repair.

#include <vector>

#include "core/proposer.hpp"

namespace hone::app {

class PersonProposer final : public Proposer {
 public:
  explicit PersonProposer(std::vector<Template> templates) : templates_(std::move(templates)) {}
  std::string name() const override { return "person"; }
  Result<std::vector<Template>> propose(const RoundContext& context) override {
    return context.round == 1 ? templates_ : std::vector<Template>{};
  }
  Result<std::optional<Template>> repair(const RoundContext&, const Fault&) override { return std::nullopt; }
  std::vector<std::string> declined() const override { return {}; }

 private:
  std::vector<Template> templates_;
};

}  // namespace hone::app
