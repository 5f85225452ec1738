#include "app/pipeline.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "app/completion.hpp"
#include "app/outcome_answer.hpp"
#include "app/put_back_report.hpp"
#include "app/putting_back.hpp"
#include "app/reports.hpp"
#include "app/setting.hpp"
#include "app/without_gpu.hpp"
#include "base/text.hpp"
#include "core/workload_sizes.hpp"
#include "mep/folder.hpp"
#include "os/files.hpp"
#include "search/budget_text.hpp"

namespace hone::app {
namespace {

/// Proving one variant takes some hundred passes; a budget must hold that and a search.
constexpr double kPassesInABudget = 200;

/// What is optimised: a MEP, and where its kernel belongs when an application was given.
struct Subject {
  Mep mep;
  std::optional<Origin> origin;
  std::string mep_folder;   // where best/ goes; empty: nowhere
  std::string application;  // empty: a MEP alone
  std::string asked;        // where answers are that were needed to complete it
};

Result<Subject> take(const OptimizeRequest& request, Console& console, TimeLedger& ledger) {
  Subject subject;
  if (request.improve.replay == "all" && !request.improve.recording.empty()) {
    auto mep = load_mep(request.improve.recording + "/mep");
    if (!mep) return fail(std::move(mep).error());
    subject.mep = std::move(*mep);
    return subject;
  }
  if (std::filesystem::exists(request.input + "/mep.toml")) {
    auto mep = load_mep(request.input);
    if (mep) mep = shaped(std::move(*mep), request.completion.shapes);
    if (!mep) return fail(std::move(mep).error());
    subject.mep = std::move(*mep);
    if (request.completion.tolerance) subject.mep.check.tolerance = request.completion.tolerance;
    subject.mep_folder = request.input;
    return subject;
  }
  CompletionRequest completion = request.completion;
  completion.application = request.input;
  completion.kernel = request.kernel;
  completion.device = request.improve.device;
  completion.model = request.improve.model;
  completion.only_recorded = !request.improve.replay.empty();
  const auto budget = search::parse_budget(request.improve.budget);
  if (budget && budget->seconds) completion.pass_max = 1e3 * budget->seconds->count() / kPassesInABudget;
  auto completed = complete_application(completion, console, ledger);
  if (!completed) return fail(std::move(completed).error());
  subject.mep = std::move(completed->mep);
  subject.origin = std::move(completed->origin);
  subject.application = request.input;
  subject.asked = std::move(completed->asked);
  subject.mep_folder = request.keep_mep;
  if (!request.keep_mep.empty())
    if (auto done = os::write_folder(request.keep_mep, completed->folder); !done) return fail(std::move(done).error());
  return subject;
}

/// What goes back: the winner, or on request the choice by size where that was proven to be no slower.
const Variant& shipped_variant(const OptimizeRequest& request, const loop::Outcome& outcome) {
  const bool by_size =
      request.per_shape && outcome.shapes && outcome.proof && loop::is_worth_it(*outcome.shapes, *outcome.proof);
  return by_size ? outcome.shapes->variant : outcome.winner.variant;
}

Status keep_winner(const Subject& subject, const Improved& improved, const Variant& shipped) {
  if (subject.mep_folder.empty() || !improved.outcome.proof) return {};
  const auto best = mep::best_folder(subject.mep, shipped, improved.device);
  if (!best) return fail(best.error());
  if (auto done = os::write_folder(subject.mep_folder + "/best", *best); !done) return done;
  // What it was chosen from, so that it can be tuned again elsewhere.
  return os::write_folder(subject.mep_folder + "/template", to_files(improved.outcome.winner_template));
}

/// Reasons name kernels; a person wants to know where these stand.
void put_places(std::vector<std::string>& reasons, const Origin& origin, const std::string& application) {
  for (const auto& piece : origin.pieces) {
    if (piece.kernel.empty()) continue;
    const auto text = os::read_text(os::Path(application) / piece.file);
    if (!text) continue;
    const auto place = fmt::format("({}, {}:{})", piece.kernel, piece.file, line_of(*text, piece.there.begin));
    for (auto& reason : reasons) reason = replace_all(std::move(reason), "(" + piece.kernel + ")", place);
  }
}

}  // namespace

Result<Answer> optimize(const OptimizeRequest& request, Console& console) {
  TimeLedger ledger(steady_now);
  auto subject = take(request, console, ledger);  // reads the user's tree
  if (!subject) {
    if (const auto language = lacks_a_gpu(subject.error(), request.improve.device))
      return prepare_without_gpu(request, *language, console, ledger);
    return fail(std::move(subject).error());
  }
  PatchLimits limits;
  if (subject->origin) {
    auto found = patch_limits(subject->mep, *subject->origin, request.input, request.keep_launch);
    if (!found) return fail(std::move(found).error());
    limits = std::move(*found);
    for (const auto& line : in_words(limits)) console.note(line);
  }
  auto improving = request.improve;
  improving.model.asked_before = subject->asked;
  const auto improved = improve_mep(subject->mep, improving, console, ledger, limits);  // then nothing is timed
  if (!improved) {
    if (const auto language = lacks_a_gpu(improved.error(), request.improve.device))
      return prepare_without_gpu(request, *language, console, ledger);
    return fail(improved.error());
  }
  const auto finishing = ledger.spend_on(Purpose::Finishing);
  const auto& shipped = shipped_variant(request, improved->outcome);
  if (auto kept = keep_winner(*subject, *improved, shipped); !kept) return fail(std::move(kept).error());

  auto run = run_of(subject->mep, *improved);
  run.application = subject->application;
  run.sizes_tried = sizes_in_words(subject->mep);
  if (subject->origin) put_places(run.reasons, *subject->origin, request.input);
  if (!run.proof && run.evaluations == 0 && run.reasons.empty())
    run.reasons.push_back(
        "the budget was over before a variant could be tried: preparing took all of it; give a longer "
        "--budget");
  if (run.shapes) run.shapes->in_patch = &shipped != &improved->outcome.winner.variant;
  for (auto& line : in_words(limits)) run.notes.push_back(std::move(line));
  for (auto& line : doubts_about(subject->mep, request.improve.check_command)) run.notes.push_back(std::move(line));
  bool put_back_failed = false;
  if (improved->outcome.proof && subject->origin) {
    const auto put = put_back(subject->mep, shipped, *subject->origin,
                              {request.input, "", request.validate, request.write, request.keep_launch});
    if (put)
      put_into(run, *put, {request.input, request.kernel, request.patch_file});
    else
      run.notes.push_back("no patch: " + put.error().text());
    put_back_failed = !put || (put->validation && !put->validation->passed());
    if (put && !request.patch_file.empty())  // with the claim above it, which is complete only now
      if (auto done = os::write_text(request.patch_file, report::mail(run)); !done)
        return fail(std::move(done).error());
  }
  run.spent = ledger.so_far();
  if (auto kept = keep_report(improved->run, run); !kept) console.note("report not kept: " + kept.error().message());
  auto answer = answer_of(run, *improved);
  if (put_back_failed) answer.code = ExitCode::No;
  return answer;
}

}  // namespace hone::app
