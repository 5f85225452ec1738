#include "app/model_completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "agents/completion.hpp"
#include "agents/prompt_text.hpp"
#include "agents/reply.hpp"
#include "app/interrupt.hpp"
#include "app/recorded_model.hpp"
#include "app/run_recording.hpp"
#include "app/test_quality.hpp"
#include "base/text.hpp"
#include "ir/dialect.hpp"
#include "mep/proposed.hpp"
#include "source/lift.hpp"

namespace hone::app {
namespace {

constexpr int most_proposals = 3, most_returns = 1;
constexpr Seconds answer_limit{600};

/// A command or a folder of this machine belongs into no MEP.
std::string asked_of(const std::string& model) {
  const auto kind = model.substr(0, model.find(':'));
  return kind == "command" || kind == "mailbox" || kind == "agent" ? "a model (" + kind + ")" : model;
}

std::vector<std::string> in_words(const mep::Limits& limits) {
  return {fmt::format("one pass of all launches takes at least {:g} ms", limits.t_min.count()),
          fmt::format("an evaluation, some forty passes, takes at most {:g} s", limits.t_max.count() / 1000),
          fmt::format("all data together have at most {} MiB", limits.s_max.count >> 20U)};
}

/// The same question is the same for every process: answers are found again.
std::string identity_of(const Extraction& extraction, const mep::Limits& limits, const std::string& model) {
  auto out = model + "\n" + join(extraction.kernels, ",") + "\n" + extraction.source;
  for (const auto& define : extraction.defines) out += "\n-D" + define.name + "=" + define.value;
  for (const auto& [name, value] : limits.set) out += "\n" + name + "=" + print(value);
  return out;
}

class Proposals {
 public:
  Proposals(const Extraction& extraction, const Error& missing, const mep::Limits& limits, DeviceSessions& sessions,
            LanguageModel& model, Console& console)
      : extraction_(extraction),
        missing_(missing),
        limits_(limits),
        sessions_(sessions),
        model_(model),
        console_(console),
        who_(asked_of(model.name())) {}

  std::optional<ModelCompletion> best() {
    for (int slot = 1; slot <= most_proposals && !Interrupt::asked(); ++slot)
      if (!ask(slot) || (best_ && killed_ == 1.0)) break;
    return std::move(best_);
  }

 private:
  /// One proposal, which goes back while it does not work. False when the model has no more.
  bool ask(int slot) {
    const auto prompt = agents::completion_prompt(
        {extraction_, missing_.code() + "  " + missing_.message(), in_words(limits_), tried_});
    auto asking = prompt;
    for (int attempt = 0; attempt <= most_returns; ++attempt) {
      Question question(asking);
      question.role = "complete";
      question.slot = slot;
      question.attempt = attempt;
      const auto reply = model_.complete(question, answer_limit);
      if (!reply) return has_no_more(reply.error().message());
      if (const auto reason = agents::nothing_more_in(reply->text)) return has_no_more(agents::one_line(*reason, 300));
      const auto fault = take(reply->text);
      if (!fault) return true;
      note(fmt::format("proposal {} does not work: {}", slot, *fault));
      asking = agents::completion_repair_prompt(prompt, reply->text, *fault);
    }
    return true;
  }

  /// Why the proposal does not work; nothing when it does.
  std::optional<std::string> take(const std::string& reply) {
    const auto proposed = agents::completion_in(reply, extraction_);
    if (!proposed) return proposed.error().message();
    auto made = completed(*proposed);
    if (made) {
      weigh(std::move(*made), *proposed);
      return std::nullopt;
    }
    tried_.push_back(proposed->rationale + ": " + made.error().message());
    return made.error().message();
  }

  Result<ModelCompletion> completed(const Completion& proposed) {
    auto declared = mep::with_declarations(extraction_, proposed, who_);
    const auto unit = lift_extraction(declared);
    if (!unit) return fail(unit.error());
    auto extraction = mep::with_values(std::move(declared), *unit, proposed, who_);
    if (!extraction) return fail(std::move(extraction).error());
    auto limits = limits_;
    limits.fills = mep::fills_of(*extraction, *unit, proposed);
    auto mep = mep::complete(*extraction, *unit, limits, &sessions_);
    if (!mep) return fail(std::move(mep).error());
    mep->fidelity.values = 'D';
    mep->fidelity.reasons.insert(
        mep->fidelity.reasons.begin(),
        fmt::format("completed by {}, since the code alone was not enough ({}): {}", who_, missing_.code(),
                    proposed.rationale.empty() ? "no reason was given" : agents::one_line(proposed.rationale, 300)));
    return ModelCompletion{std::move(*mep), std::move(*extraction), {}};
  }

  /// Kept where its workloads notice more faults than those of the best before it.
  void weigh(ModelCompletion made, const Completion& proposed) {
    const auto score = mutant_score(made.mep, sessions_);
    const double share =
        score && !score->mutants.empty() ? score->count() / static_cast<double>(score->mutants.size()) : 0;
    const auto words =
        score ? fmt::format("{} of {} small faults in the kernel were noticed", score->count(), score->mutants.size())
              : "how many faults are noticed could not be measured: " + score.error().message();
    note(fmt::format("a proposal works: {}", words));
    tried_.push_back(proposed.rationale + ": works, " + words);
    if (best_ && share <= killed_) return;
    if (score) {
      made.mep.fidelity.mutants_killed = score->count();
      made.mep.fidelity.mutants_total = static_cast<int>(score->mutants.size());
    }
    killed_ = share;
    best_ = std::move(made);
  }

  bool has_no_more(const std::string& why) {
    note("no more proposals: " + why);
    return false;
  }

  void note(const std::string& line) { console_.note("completion by " + who_ + ": " + line); }

  const Extraction& extraction_;
  const Error& missing_;
  const mep::Limits& limits_;
  DeviceSessions& sessions_;
  LanguageModel& model_;
  Console& console_;
  std::string who_;
  std::vector<std::string> tried_;
  std::optional<ModelCompletion> best_;
  double killed_ = 0;
};

}  // namespace

bool is_about_completion(const Error& error) {
  return error.code() == "E-COMPLETE" || error.code() == "E-EXTENT" || error.code() == "E-BUILD";
}

Result<ModelCompletion> complete_by_model(const Extraction& extraction, const Error& missing, const mep::Limits& limits,
                                          DeviceSessions& sessions, const ModelChoice& choice, bool only_recorded,
                                          Console& console, TimeLedger& ledger) {
  const auto folder = completion_folder(identity_of(extraction, limits, choice.name));
  if (!folder) return fail(folder.error());
  const auto exchanges = *folder + "/exchanges";
  Interrupt interrupt;
  std::unique_ptr<OpenedModel> opened;
  if (!only_recorded) {
    auto made = OpenedModel::open(choice, console, ledger, exchanges, &Interrupt::asked);
    if (!made) return fail(std::move(made).error());
    opened = std::move(*made);
  }
  console.note(missing.message() + "; a model is asked what is missing");
  RecordedModel recorded(choice.name, opened ? &opened->model() : nullptr, exchanges);
  auto best = Proposals(extraction, missing, limits, sessions, recorded, console).best();
  if (!best) return fail(Error(missing).context("no proposal of the model helped"));
  best->exchanges = exchanges;
  return std::move(*best);
}

Result<ir::Unit> lift_extraction(const Extraction& extraction) {
  ir::LiftOptions options;
  for (const auto& define : extraction.defines) options.defines[define.name] = define.value;
  return source::ClangLifter().lift(extraction.source, ir::dialect_of(extraction.language), options);
}

}  // namespace hone::app
