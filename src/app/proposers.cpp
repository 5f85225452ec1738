#include "app/proposers.hpp"

#include "app/interrupt.hpp"
#include "llm/open_model.hpp"
#include "rules/all_rules.hpp"

namespace hone::app {
namespace {

/// Waiting for a model is not Hone's own time.
class AccountedModel final : public LanguageModel {
 public:
  AccountedModel(LanguageModel& inner, TimeLedger& ledger) : inner_(inner), ledger_(ledger) {}
  std::string name() const override { return inner_.name(); }
  Result<Reply> complete(const Question& question, Seconds timeout) override {
    const auto scope = ledger_.spend_on(Activity::Asking);
    return inner_.complete(question, timeout);
  }

 private:
  LanguageModel& inner_;
  TimeLedger& ledger_;
};

}  // namespace

Result<std::unique_ptr<Proposers>> Proposers::open(const ImproveOptions& options, std::vector<Template> templates,
                                                   const Result<rules::LiftedKernel>& lifted, Console& console,
                                                   TimeLedger& ledger) {
  std::unique_ptr<Proposers> out(new Proposers);
  if (!templates.empty()) out->all_.push_back(&out->person_.emplace(std::move(templates)));
  if (!options.model.empty()) {
    auto opened = llm::open_model(
        options.model, {llm::process_environment(), [&console](const std::string& line) { console.note(line); },
                        [] { return Interrupt::asked(); }});
    if (!opened) return fail(std::move(opened).error());
    out->model_ = std::move(*opened);
    out->accounted_ = std::make_unique<AccountedModel>(*out->model_, ledger);
    agents::ModelOptions asking;
    asking.rules = rules::rule_forms();
    asking.plan = options.plan;
    if (options.rounds > 0) asking.rounds = options.rounds;
    asking.candidates = std::min(asking.candidates, options.candidates);
    out->all_.push_back(&out->asked_.emplace(*out->accounted_, std::move(asking)));
  }
  if (options.rules && lifted) out->all_.push_back(&out->rules_.emplace(*lifted));
  return out;
}

}  // namespace hone::app
