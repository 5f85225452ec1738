#pragma once
// Who proposes in a run: a person's templates, a model, the rules; in that order.

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "agents/model_proposer.hpp"
#include "app/console.hpp"
#include "app/improve.hpp"
#include "app/opened_model.hpp"
#include "app/person_proposer.hpp"
#include "app/recorded_model.hpp"
#include "core/time_spent.hpp"
#include "rules/propose.hpp"

namespace hone::app {

class Proposers {
 public:
  /// `lifted`: what the rules work on; the reason why there is none otherwise. E-MODEL when a model cannot be opened.
  /// `exchanges`: the folder of what the model answers; `came` is told of each answer. `elsewhere`:
  /// what a recording says of the model, where there is no other.
  static Result<std::unique_ptr<Proposers>> open(const ImproveOptions& options, std::vector<Template> templates,
                                                 const Result<rules::LiftedKernel>& lifted, Console& console,
                                                 TimeLedger& ledger, const std::string& exchanges,
                                                 std::function<void(const std::string& key)> came, bool elsewhere);
  /// What the model was asked and what that took; nothing when there is none.
  std::optional<llm::Spend> spent() const;
  bool model_is_elsewhere() const { return asked_ && asked_->waits_elsewhere(); }
  const std::vector<Proposer*>& all() const { return all_; }
  /// Where a model is waited for that is elsewhere.
  Aside& aside() { return aside_; }
  /// Nobody wants the answer under way any more.
  void leave() { left_ = true; }
  /// Which patterns the model's answers said they follow.
  std::vector<agents::Citation> citations() const {
    return asked_ ? asked_->citations() : std::vector<agents::Citation>();
  }

 private:
  Proposers() = default;
  std::atomic<bool> left_ = false;
  std::unique_ptr<OpenedModel> opened_;
  std::optional<RecordedModel> recorded_;
  std::optional<PersonProposer> person_;
  std::optional<agents::ModelProposer> asked_;
  std::optional<rules::RulesProposer> rules_;
  std::vector<Proposer*> all_;
  Aside aside_;  // ends before what its task uses
};

}  // namespace hone::app
