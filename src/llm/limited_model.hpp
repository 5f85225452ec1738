#pragma once
// A model whose calls, tokens and cost in one run are limited. A question is asked only when the largest answer it can
// get still fits; so the limit is never passed, and a run that ends by it can be resumed with a larger one.

#include <map>
#include <optional>

#include "llm/provider.hpp"

namespace hone::llm {

/// In units of money for a million tokens.
struct Price {
  double input = 0, cached = 0, output = 0;
};
/// By the name given to --model: "openai:gpt-4o"; a name may end in * for all that begin so.
using Prices = std::map<std::string, Price>;
/// The table that ships.
Prices shipped_prices();
/// E-PRICES when the text is no such table.
Result<Prices> prices_from(const std::string& json);
std::optional<Price> price_of(const Prices& prices, const std::string& model);
double cost_of(const Usage& usage, const Price& price);

struct SpendLimits {
  std::optional<std::size_t> calls;
  std::optional<std::int64_t> tokens;
  std::optional<double> cost;
  bool any() const { return calls || tokens || cost; }
};

struct Spend {
  std::size_t calls = 0;
  Usage usage;
  double cost = 0;
  std::int64_t tokens() const { return usage.input + usage.output; }
};

class LimitedModel final : public LanguageModel {
 public:
  /// `before`: what earlier processes of the same run spent. `largest_answer`: tokens of one answer at most. `keep`:
  /// told the most that will be spent when a question is sent, and what was spent when it is over, for the next
  /// process.
  LimitedModel(LanguageModel& inner, SpendLimits limits, Price price, Spend before, std::int64_t largest_answer,
               std::function<void(const Spend&)> show = {}, std::function<void(const Spend&)> keep = {})
      : inner_(inner),
        limits_(limits),
        price_(price),
        spent_(before),
        largest_answer_(largest_answer),
        show_(std::move(show)),
        keep_(std::move(keep)) {}
  std::string name() const override { return inner_.name(); }
  bool is_elsewhere() const override { return inner_.is_elsewhere(); }
  Result<Reply> complete(const Question& question, Seconds timeout) override;
  const Spend& spent() const { return spent_; }

 private:
  Usage at_most(const Question& question) const;
  Status allowed(const Question& question) const;
  void add(Spend& spend, const Usage& usage) const;
  void charge(const Usage& usage);

  LanguageModel& inner_;
  SpendLimits limits_;
  Price price_;
  Spend spent_;
  std::int64_t largest_answer_;
  std::function<void(const Spend&)> show_, keep_;
};

}  // namespace hone::llm
