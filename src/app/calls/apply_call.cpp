// What is proven, as a patch of the application, validated where a command is allowed. What is not proven is proven
// first, or not put back: no request can have it otherwise.
#include <fmt/format.h>

#include "app/calls/all_calls.hpp"
#include "app/improve.hpp"
#include "app/outcome_answer.hpp"
#include "app/put_back_report.hpp"
#include "app/session/candidate.hpp"
#include "app/session/session.hpp"
#include "core/workload_sizes.hpp"
#include "os/files.hpp"

namespace hone::app {
namespace {

struct ToApply {
  Template made_of;
  Configuration configuration;
  std::string proposer;
};

Result<ToApply> what_to_apply(const Session& session, WarmMep& warm, const CallRequest& request) {
  if (names_candidate(request)) {
    auto candidate = candidate_in(request, session.workspace(), warm.mep(), warm.setup().device());
    if (!candidate) return fail(std::move(candidate).error());
    return ToApply{std::move(candidate->made_of), std::move(candidate->configuration), agent_proposer(request.agent)};
  }
  const auto* best = warm.best();
  if (best == nullptr)
    return fail("E-UNPROVEN", "nothing is proven in this session yet", "check or tune a candidate first, or give one");
  return ToApply{best->made_of, best->winner.configuration, best->winner.proposer};
}

/// The command of the request where the person who started the session lets it have one; else that person's, or none.
Result<std::string> validation_in(const Session& session, const CallRequest& request) {
  if (!request.has("validate") || request.text("validate") == session.options().validate)
    return session.options().validate;
  if (session.options().commands) return request.text("validate");
  return fail("E-OUTSIDE", "this session runs no command that a request names",
              "start it with --validate 'COMMAND', or with --allow-commands");
}

Answer not_proven(const Confirmation& confirmed) {
  Answer answer;
  answer.code = ExitCode::No;
  answer.text = checked_text(confirmed) + "no patch: nothing is put back that is not proven\n";
  answer.data = checked_json(confirmed);
  answer.data["patch"] = nullptr;
  return answer;
}

/// The claim above the diff, as `optimize` writes it.
report::Run run_for(const WarmMep& warm, const ProvenVariant& proven, const DeviceInfo& device,
                    const Session& session) {
  Improved improved;
  improved.device = device;
  improved.outcome.winner = proven.winner;
  improved.outcome.winner_template = proven.made_of;
  improved.outcome.proof = proven.proof;
  auto run = run_of(warm.mep(), improved);
  run.application = warm.application();
  run.sizes_tried = sizes_in_words(warm.mep());
  for (auto& line : in_words(warm.limits())) run.notes.push_back(std::move(line));
  for (auto& line : doubts_about(warm.mep(), session.options().check_command)) run.notes.push_back(std::move(line));
  return run;
}

nlohmann::json data_of(const report::Run& run, const PutBack& put, const Confirmation& proof) {
  nlohmann::json out = {{"proven", true},
                        {"speedup", proof.comparison.ratio},
                        {"comparison", as_json(proof.comparison)},
                        {"diff", run.diff},
                        {"patch", nullptr},
                        {"launches", run.launch_tiers},
                        {"notes", run.notes},
                        {"validated", nullptr}};
  if (!put.validation) return out;
  out["validated"] = put.validation->passed();
  out["engaged"] = put.validation->engagement.shown;
  out["engagement"] = put.validation->engagement.words;
  return out;
}

Result<Answer> patched(Session& session, WarmMep& warm, const ProvenVariant& proven, const CallRequest& request,
                       const std::string& validate) {
  const auto origin = load_origin(warm.folder());
  if (!origin) return fail(origin.error());
  const auto made =
      put_back(warm.mep(), proven.winner.variant, *origin, {warm.application(), "", validate, false, false});
  if (!made) return fail(made.error());
  const bool valid = !made->validation || made->validation->passed();
  std::string file;
  if (request.has("patch")) {
    const auto path = session.workspace().inside(request.text("patch"));
    if (!path) return fail(path.error());
    file = path->string();
  }
  auto run = run_for(warm, proven, warm.setup().device(), session);
  put_into(run, *made, {warm.application(), warm.mep().kernels.front().name, valid ? file : ""});
  Answer answer;
  answer.code = valid ? ExitCode::Yes : ExitCode::No;
  answer.text = report::summary(run);
  answer.data = data_of(run, *made, proven.proof);
  if (!valid) {
    answer.text += "the validation command failed with the patch: nothing was written\n";
    return answer;
  }
  if (file.empty()) return answer;
  if (auto done = os::write_text(file, report::mail(run)); !done) return fail(std::move(done).error());
  answer.data["patch"] = file;
  return answer;
}

Result<Answer> run_apply(Session& session, const CallRequest& request) {
  auto warm = session.mep_of(request);
  if (!warm) return fail(warm.error());
  const auto validate = validation_in(session, request);
  if (!validate) return fail(validate.error());
  const auto application = session.application_in(request, (*warm)->application());
  if (!application) return fail(application.error());
  if (request.has("patch"))  // before minutes are spent
    if (auto path = session.workspace().inside(request.text("patch")); !path) return fail(std::move(path).error());
  const auto wanted = what_to_apply(session, **warm, request);
  if (!wanted) return fail(wanted.error());
  if ((*warm)->application() != *application) warm = session.use((*warm)->folder(), *application);
  if (!warm) return fail(warm.error());
  const auto variant = (*warm)->variant_of(wanted->made_of, wanted->configuration);
  if (!variant || (*warm)->find(*variant) == nullptr) {
    const auto confirmed = (*warm)->prove(wanted->made_of, wanted->configuration, wanted->proposer);
    if (!confirmed) return fail(confirmed.error());
    if (!confirmed->proves_faster()) return not_proven(*confirmed);
  }
  return patched(session, **warm, *(*warm)->find(*variant), request, *validate);
}

}  // namespace

const Call apply_call = {
    "apply",
    "Makes a patch of the application from what is proven: the best of this session, or the candidate given, which is "
    "proven first when it is not yet. The application's files are not changed. Where the session has a validation "
    "command, the application is built and tested in a copy without and with the patch.",
    with_candidate({{"application", CallParameter::Kind::Text,
                     "the application's folder in the workspace; absent: the one the kernel was taken from"},
                    {"patch", CallParameter::Kind::Text, "where to write it, in the workspace; absent: only told"},
                    {"validate", CallParameter::Kind::Text,
                     "a command of your own, where the session was started with --allow-commands"}}),
    run_apply};

}  // namespace hone::app
