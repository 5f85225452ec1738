#include "app/proposers.hpp"

#include <algorithm>

#include "app/interrupt.hpp"
#include "app/transformations.hpp"
#include "rules/all_rules.hpp"

namespace hone::app {
std::optional<llm::Spend> Proposers::spent() const { return opened_ ? std::optional(opened_->spent()) : std::nullopt; }

Result<std::unique_ptr<Proposers>> Proposers::open(const ImproveOptions& options, std::vector<Template> templates,
                                                   const Result<rules::LiftedKernel>& lifted, Console& console,
                                                   TimeLedger& ledger, const std::string& exchanges,
                                                   std::function<void(const std::string& key)> came, bool elsewhere) {
  std::unique_ptr<Proposers> out(new Proposers);
  if (!templates.empty()) out->all_.push_back(&out->person_.emplace(options.proposer, std::move(templates)));
  if (!options.model.name.empty()) {
    if (options.replay.empty()) {
      auto opened = OpenedModel::open(options.model, console, ledger, exchanges,
                                      [raw = out.get()] { return Interrupt::asked() || raw->left_; });
      if (!opened) return fail(std::move(opened).error());
      out->opened_ = std::move(*opened);
    }
    auto* model = out->opened_ ? &out->opened_->model() : nullptr;
    const bool aside = model != nullptr ? model->is_elsewhere() : elsewhere;
    out->recorded_.emplace(options.model.name, model, exchanges, std::move(came), aside ? &out->aside_ : nullptr);
    agents::ModelOptions asking;
    asking.rules = rules::rule_forms();
    asking.plan = options.plan;
    if (options.rounds > 0) asking.rounds = options.rounds;
    asking.candidates = std::min(asking.candidates, options.candidates);
    asking.templates = options.searched && !options.direct;
    asking.inherit = options.inherit && !options.direct;
    asking.profile = options.profile && !options.direct;
    if (!options.repair || options.direct) asking.most_returns = 0;
    if (lifted)
      asking.transformations = [&lifted](const Template& value) { return transformations_of(*lifted, value); };
    if (options.direct) asking.rounds = 1, asking.candidates = 1, asking.plan = false;
    out->all_.push_back(&out->asked_.emplace(*out->recorded_, std::move(asking)));
  }
  if (options.rules && lifted) out->all_.push_back(&out->rules_.emplace(*lifted));
  return out;
}

}  // namespace hone::app
