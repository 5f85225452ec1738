#pragma once
// Who proposes in a run: a person's templates, a model, the rules; in that order.

#include <memory>
#include <optional>
#include <vector>

#include "agents/model_proposer.hpp"
#include "app/console.hpp"
#include "app/improve.hpp"
#include "app/person_proposer.hpp"
#include "core/time_spent.hpp"
#include "rules/propose.hpp"

namespace hone::app {

class Proposers {
 public:
  /// `lifted`: what the rules work on; the reason why there is none otherwise. E-MODEL when a model cannot be opened.
  static Result<std::unique_ptr<Proposers>> open(const ImproveOptions& options, std::vector<Template> templates,
                                                 const Result<rules::LiftedKernel>& lifted, Console& console,
                                                 TimeLedger& ledger);
  const std::vector<Proposer*>& all() const { return all_; }

 private:
  Proposers() = default;
  std::unique_ptr<LanguageModel> model_, accounted_;
  std::optional<PersonProposer> person_;
  std::optional<agents::ModelProposer> asked_;
  std::optional<rules::RulesProposer> rules_;
  std::vector<Proposer*> all_;
};

}  // namespace hone::app
