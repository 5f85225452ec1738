// A kernel out of an application of the workspace, completed into a MEP of the workspace; then that is in use.
#include "app/calls/all_calls.hpp"
#include "app/extracting.hpp"
#include "app/session/session.hpp"

namespace hone::app {
namespace {

Result<Answer> run_extract(Session& session, const CallRequest& request) {
  auto application = session.application_in(request);
  if (!application) return fail(std::move(application).error());
  const auto output =
      session.workspace().inside(request.has("output") ? request.text("output") : request.text("kernel") + ".mep");
  if (!output) return fail(output.error());
  if (auto done = session.workspace().all_inside(*output); !done) return fail(std::move(done).error());
  CompletionRequest completion;
  completion.application = *application;
  completion.kernel = request.text("kernel");
  completion.defines = request.texts("defines");
  completion.set = request.texts("set");
  completion.file = request.text("file");
  completion.device = session.options().device;
  auto answer = extract(completion, output->string(), session.console());
  if (!answer) return answer;
  if (auto opened = session.use(output->string(), *application); !opened) return fail(std::move(opened).error());
  return answer;
}

}  // namespace

const Call extract_call = {
    "extract",
    "Takes a kernel out of an application and completes it into a MEP, a program that runs alone; the MEP is then the "
    "one in use, and candidates are judged as they will stand in the application.",
    {{"kernel", CallParameter::Kind::Text, "the kernel's name, as `scan` tells it", true},
     {"application", CallParameter::Kind::Text, "its folder in the workspace; absent: the workspace itself"},
     {"output", CallParameter::Kind::Text, "the MEP folder to write, in the workspace; absent: KERNEL.mep"},
     {"defines", CallParameter::Kind::Texts, "NAME=VALUE as the application's build defines it"},
     {"set", CallParameter::Kind::Texts, "NAME=VALUE of a size or another scalar"},
     {"file", CallParameter::Kind::Text, "the file with the kernel, when several define one of that name"}},
    run_extract};

}  // namespace hone::app
