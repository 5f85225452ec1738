#include "llm/limited_model.hpp"

#include <fmt/format.h>

#include "embedded/hone_llm.hpp"
#include "llm/chat_json.hpp"

namespace hone::llm {
namespace {

constexpr auto raise_it = "run the same command again with a larger limit: what was answered is kept";

}  // namespace

Prices shipped_prices() { return prices_from(std::string(embedded::prices_json)).value_or(Prices{}); }

Result<Prices> prices_from(const std::string& text) {
  const Json json = parsed(text);
  const Json& models = at(json, {"models"});
  if (!models.is_object()) return fail("E-PRICES", "the file of prices is no JSON object with `models` in it");
  Prices out;
  for (const auto& [name, row] : models.items()) {
    Price price;
    for (const auto& [key, into] :
         {std::pair("input", &price.input), {"cached", &price.cached}, {"output", &price.output}}) {
      const Json& number = at(row, {key});
      if (!number.is_number() || number.get<double>() < 0)
        return fail("E-PRICES", fmt::format("{}: `{}` must be a number that is not negative", name, key));
      *into = number.get<double>();
    }
    out[name] = price;
  }
  return out;
}

std::optional<Price> price_of(const Prices& prices, const std::string& model) {
  if (const auto exact = prices.find(model); exact != prices.end()) return exact->second;
  std::optional<Price> found;
  std::size_t longest = 0;
  for (const auto& [name, price] : prices)
    if (name.ends_with('*') && name.size() > longest && model.starts_with(name.substr(0, name.size() - 1)))
      found = price, longest = name.size();
  return found;
}

double cost_of(const Usage& usage, const Price& price) {
  return 1e-6 * (static_cast<double>(usage.input - usage.cached) * price.input +
                 static_cast<double>(usage.cached) * price.cached + static_cast<double>(usage.output) * price.output);
}

/// A token is a byte at least; most are three or four, so this is far above what will be counted.
Usage LimitedModel::at_most(const Question& question) const {
  Usage usage;
  usage.input = static_cast<std::int64_t>(question.prompt.size() + question.answered.size()) + 64;
  usage.output = largest_answer_;
  return usage;
}

Status LimitedModel::allowed(const Question& question) const {
  if (limits_.calls && spent_.calls >= *limits_.calls)
    return fail("E-SPENT", fmt::format("the limit of {} questions is reached", *limits_.calls), raise_it);
  const auto more = at_most(question);
  if (limits_.tokens && spent_.tokens() + more.input + more.output > *limits_.tokens)
    return fail("E-SPENT",
                fmt::format("{} of {} tokens are used, and one more question may take {}", spent_.tokens(),
                            *limits_.tokens, more.input + more.output),
                raise_it);
  if (limits_.cost && spent_.cost + cost_of(more, price_) > *limits_.cost)
    return fail("E-SPENT",
                fmt::format("{:.4f} of {:.4f} are spent, and one more question may cost {:.4f}", spent_.cost,
                            *limits_.cost, cost_of(more, price_)),
                raise_it);
  return {};
}

void LimitedModel::add(Spend& spend, const Usage& usage) const {
  ++spend.calls;
  spend.usage += usage;
  spend.cost += cost_of(usage, price_);
}

void LimitedModel::charge(const Usage& usage) {
  add(spent_, usage);
  if (show_) show_(spent_);
}

Result<Reply> LimitedModel::complete(const Question& question, Seconds timeout) {
  if (auto done = allowed(question); !done) return fail(std::move(done).error());
  if (keep_) {  // a process that is killed now may have to pay for all of it
    auto most = spent_;
    add(most, at_most(question));
    keep_(most);
  }
  auto reply = inner_.complete(question, timeout);
  // An answer that broke off may have been paid for in full; one that was refused was not.
  if (reply)
    charge(reply->usage);
  else if (reply.error().code() == "E-REPLY" || reply.error().code() == "E-STOPPED")
    charge(at_most(question));
  if (keep_) keep_(spent_);
  return reply;
}

}  // namespace hone::llm
