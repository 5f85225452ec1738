#include "app/opened_model.hpp"

#include <fmt/format.h>

#include "llm/open_model.hpp"
#include "os/files.hpp"

namespace hone::app {
namespace {

/// Waiting for a model is not Hone's own time.
class AccountedModel final : public LanguageModel {
 public:
  AccountedModel(LanguageModel& inner, TimeLedger& ledger) : inner_(inner), ledger_(ledger) {}
  std::string name() const override { return inner_.name(); }
  bool is_elsewhere() const override { return inner_.is_elsewhere(); }
  Result<Reply> complete(const Question& question, Seconds timeout) override {
    const auto scope = ledger_.spend_on(Activity::Asking);
    return inner_.complete(question, timeout);
  }

 private:
  LanguageModel& inner_;
  TimeLedger& ledger_;
};

Result<llm::Price> price_for(const ModelChoice& choice) {
  auto prices = llm::shipped_prices();
  if (!choice.prices.empty()) {
    const auto text = os::read_text(choice.prices);
    if (!text) return fail(text.error());
    auto read = llm::prices_from(*text);
    if (!read) return fail(std::move(read).error().context(choice.prices));
    prices = std::move(*read);
  }
  const auto price = llm::price_of(prices, choice.model);
  if (!price && choice.max_cost > 0)
    return fail("E-PRICES", "no price is known of " + choice.model + ", so its cost cannot be limited",
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

llm::SpendLimits limits_of(const ModelChoice& choice) {
  llm::SpendLimits out;
  if (choice.max_calls > 0) out.calls = choice.max_calls;
  if (choice.max_tokens > 0) out.tokens = choice.max_tokens;
  if (choice.max_cost > 0) out.cost = choice.max_cost;
  return out;
}

}  // namespace

Result<std::unique_ptr<OpenedModel>> OpenedModel::open(const ModelChoice& choice, Console& console, TimeLedger& ledger,
                                                       const RecordedSpend& before, llm::Stop stop) {
  const auto price = price_for(choice);
  if (!price) return fail(price.error());
  auto opened = llm::open_model(
      choice.model, {llm::process_environment(), [&console](const std::string& line) { console.must_be_read(line); },
                     std::move(stop)});
  if (!opened) return fail(std::move(opened).error());
  std::unique_ptr<OpenedModel> out(new OpenedModel);
  out->model_ = std::move(*opened);
  out->accounted_ = std::make_unique<AccountedModel>(*out->model_, ledger);
  out->limited_.emplace(
      *out->accounted_, limits_of(choice), *price,
      llm::Spend{before.calls, before.usage, llm::cost_of(before.usage, *price)}, largest_answer(),
      [&console](const llm::Spend& spent) {
        console.note(fmt::format("model: {} answers, {} tokens, cost {:.4f}", spent.calls, spent.tokens(), spent.cost));
      });
  out->patient_.emplace(*out->limited_);
  return out;
}

}  // namespace hone::app
