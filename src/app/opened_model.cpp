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
  const auto price = llm::price_of(prices, choice.name);
  if (!price && choice.max_cost > 0)
    return fail("E-PRICES", "no price is known of " + choice.name + ", so its cost cannot be limited",
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

RecordedSpend without(const llm::Spend& spent, const RecordedSpend& earlier) {
  const auto& a = spent.usage;
  const auto& b = earlier.usage;
  return {spent.calls - earlier.calls,
          {a.input - b.input, a.cached - b.cached, a.output - b.output, a.reasoning - b.reasoning}};
}

llm::SpendLimits limits_of(const ModelChoice& choice) {
  llm::SpendLimits out;
  if (choice.max_calls > 0) out.calls = choice.max_calls;
  if (choice.max_tokens > 0) out.tokens = choice.max_tokens;
  if (choice.max_cost > 0) out.cost = choice.max_cost;
  return out;
}

}  // namespace

void add_model_options(CLI::App& command, ModelChoice& choice) {
  command.add_option("--model", choice.name, "A model to ask too: " + llm::provider_forms());
  command.add_option("--max-calls", choice.max_calls, "Answers of the model in this run at most");
  command.add_option("--max-tokens", choice.max_tokens, "Tokens of the model in this run at most");
  command.add_option("--max-cost", choice.max_cost, "Cost of the model in this run at most");
  command.add_option("--prices", choice.prices, "A file of prices in place of those that ship");
}

Result<std::unique_ptr<OpenedModel>> OpenedModel::open(const ModelChoice& choice, Console& console, TimeLedger& ledger,
                                                       const std::string& exchanges, llm::Stop stop) {
  const auto price = price_for(choice);
  if (!price) return fail(price.error());
  auto opened = llm::open_model(
      choice.name, {llm::process_environment(), [&console](const std::string& line) { console.must_be_read(line); },
                    std::move(stop)});
  if (!opened) return fail(std::move(opened).error());
  std::unique_ptr<OpenedModel> out(new OpenedModel);
  out->model_ = std::move(*opened);
  out->accounted_ = std::make_unique<AccountedModel>(*out->model_, ledger);
  const auto earlier = choice.asked_before.empty() ? RecordedSpend{} : spent_in(choice.asked_before);
  auto before = spent_in(exchanges);
  before += earlier;
  const auto show = [&console](const llm::Spend& spent) {
    console.note(fmt::format("model: {} answers, {} tokens, cost {:.4f}", spent.calls, spent.tokens(), spent.cost));
  };
  // A limit that cannot be remembered is kept in this process alone: that is said, and no reason to end the run.
  const auto keep = [&console, exchanges, earlier](const llm::Spend& spent) {
    if (auto kept = keep_spent(exchanges, without(spent, earlier)); !kept) console.note(kept.error().message());
  };
  out->limited_.emplace(*out->accounted_, limits_of(choice), *price,
                        llm::Spend{before.calls, before.usage, llm::cost_of(before.usage, *price)}, largest_answer(),
                        show, keep);
  out->patient_.emplace(*out->limited_);
  return out;
}

}  // namespace hone::app
