#pragma once
// A language model as a Proposer: asks for candidates one by one, sends an answer that cannot be read back once, and
// mends what failed. A model that is silent or talks nonsense costs its own candidates, never the run.

#include <set>
#include <string>
#include <vector>

#include "core/language_model.hpp"
#include "core/proposer.hpp"

namespace hone::agents {

struct ModelOptions {
  Seconds timeout{600};   // for one answer
  bool plan = false;      // ask which suggestions to follow first
  RuleForms rules;        // that a schedule in an answer may use
  int most_failures = 3;  // calls that brought nothing in a row: then the model is left alone
};

class ModelProposer : public Proposer {
 public:
  ModelProposer(LanguageModel& model, ModelOptions options) : model_(model), options_(std::move(options)) {}

  std::string name() const override { return "model:" + model_.name(); }
  Result<std::vector<Template>> propose(const RoundContext& context) override;
  Result<std::optional<Template>> repair(const RoundContext& context, const Fault& fault) override;
  std::vector<std::string> declined() const override { return declined_; }

 private:
  Result<Reply> ask(const std::string& prompt);
  /// One answer, and a second chance when it cannot be read.
  Result<std::vector<Template>> ask_for_templates(const std::string& prompt, const Mep& mep, const std::string& name);
  RoundContext planned(const RoundContext& context);
  bool is_new(const Template& value);

  LanguageModel& model_;
  ModelOptions options_;
  std::vector<std::string> declined_;
  std::set<std::string> seen_;  // content of templates already given
  int failures_ = 0;
};

}  // namespace hone::agents
