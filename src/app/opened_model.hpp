#pragma once
// A model as a run asks it. From the server up: its time is accounted for, its spend is limited, an answer that was cut
// is continued.

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "app/console.hpp"
#include "app/recorded_model.hpp"
#include "core/time_spent.hpp"
#include "llm/limited_model.hpp"
#include "llm/patient_model.hpp"

namespace hone::app {

/// Which one, and what it may cost in a run.
struct ModelChoice {
  std::string name;             // command:PROG, mailbox:DIR, openai:NAME, ...; empty: none
  std::size_t max_calls = 0;    // 0: no limit
  std::int64_t max_tokens = 0;  // the same
  double max_cost = 0;          // the same, in the unit of the prices
  std::string prices;           // a file in place of the prices that ship
  std::string asked_before;     // where answers are that were given for the same run: they count as spent
};

/// --model and what limits it.
void add_model_options(CLI::App& command, ModelChoice& choice);

class OpenedModel {
 public:
  /// `exchanges`: the run's folder of answers, where what it has spent is kept too. E-MODEL, E-PRICES.
  static Result<std::unique_ptr<OpenedModel>> open(const ModelChoice& choice, Console& console, TimeLedger& ledger,
                                                   const std::string& exchanges, llm::Stop stop);
  LanguageModel& model() { return *patient_; }
  const llm::Spend& spent() const { return limited_->spent(); }

 private:
  OpenedModel() = default;
  std::unique_ptr<LanguageModel> model_, accounted_;
  std::optional<llm::LimitedModel> limited_;
  std::optional<llm::PatientModel> patient_;
};

}  // namespace hone::app
