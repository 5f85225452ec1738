#include "app/proposers.hpp"

#include <fmt/format.h>

#include "app/interrupt.hpp"
#include "app/transformations.hpp"
#include "llm/open_model.hpp"
#include "os/files.hpp"
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

Result<llm::Price> price_for(const ImproveOptions& options) {
  auto prices = llm::shipped_prices();
  if (!options.prices.empty()) {
    const auto text = os::read_text(options.prices);
    if (!text) return fail(text.error());
    auto read = llm::prices_from(*text);
    if (!read) return fail(std::move(read).error().context(options.prices));
    prices = std::move(*read);
  }
  const auto price = llm::price_of(prices, options.model);
  if (!price && options.max_cost > 0)
    return fail("E-PRICES", "no price is known of " + options.model + ", so its cost cannot be limited",
                "--prices FILE with a line for it, or --max-tokens");
  return price.value_or(llm::Price{});
}

/// As large as an answer may be asked to be; a model that is no server is not told, so this is a guess of it.
std::int64_t largest_answer() {
  const auto said = llm::process_environment()("HONE_MAX_TOKENS");
  return said && !said->empty() && said->size() < 8 && said->find_first_not_of("0123456789") == std::string::npos
             ? std::stoll(*said)
             : 8192;
}

llm::SpendLimits limits_of(const ImproveOptions& options) {
  llm::SpendLimits out;
  if (options.max_calls > 0) out.calls = options.max_calls;
  if (options.max_tokens > 0) out.tokens = options.max_tokens;
  if (options.max_cost > 0) out.cost = options.max_cost;
  return out;
}

}  // namespace

/// From the server up: its time is accounted for, its spend is limited, what was cut is continued.
Status Proposers::open_model(const ImproveOptions& options, Console& console, TimeLedger& ledger,
                             const std::string& exchanges) {
  const auto price = price_for(options);
  if (!price) return fail(price.error());
  auto opened = llm::open_model(options.model, {llm::process_environment(),
                                                [&console](const std::string& line) {
                                                  // Somebody is waited for: that must be seen, also where only JSON is
                                                  // wanted.
                                                  console.clear_progress();
                                                  fmt::print(stderr, "{}\n", line);
                                                },
                                                [] { return Interrupt::asked(); }});
  if (!opened) return fail(std::move(opened).error());
  model_ = std::move(*opened);
  accounted_ = std::make_unique<AccountedModel>(*model_, ledger);
  const auto before = spent_in(exchanges);
  limited_.emplace(
      *accounted_, limits_of(options), *price,
      llm::Spend{before.calls, before.usage, llm::cost_of(before.usage, *price)}, largest_answer(),
      [&console](const llm::Spend& spent) {
        console.note(fmt::format("model: {} answers, {} tokens, cost {:.4f}", spent.calls, spent.tokens(), spent.cost));
      });
  patient_.emplace(*limited_);
  return {};
}

std::optional<llm::Spend> Proposers::spent() const {
  return limited_ ? std::optional(limited_->spent()) : std::nullopt;
}

Result<std::unique_ptr<Proposers>> Proposers::open(const ImproveOptions& options, std::vector<Template> templates,
                                                   const Result<rules::LiftedKernel>& lifted, Console& console,
                                                   TimeLedger& ledger, const std::string& exchanges,
                                                   std::function<void(const std::string& key)> came) {
  std::unique_ptr<Proposers> out(new Proposers);
  if (!templates.empty()) out->all_.push_back(&out->person_.emplace(options.proposer, std::move(templates)));
  if (!options.model.empty()) {
    if (options.replay.empty())
      if (auto opened = out->open_model(options, console, ledger, exchanges); !opened)
        return fail(std::move(opened).error());
    out->recorded_.emplace(options.model, out->patient_ ? &*out->patient_ : nullptr, exchanges, std::move(came));
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
