// The kernels of an application of the workspace.
#include "app/calls/all_calls.hpp"
#include "app/scanning.hpp"
#include "app/session/session.hpp"

namespace hone::app {
namespace {

Result<Answer> run_scan(Session& session, const CallRequest& request) {
  const auto application = session.application_in(request);
  if (!application) return fail(application.error());
  return scan_application(*application, session.console());
}

}  // namespace

const Call scan_call = {
    "scan",
    "Lists the kernels of an application and where it launches them, without building it.",
    {{"application", CallParameter::Kind::Text, "its folder in the workspace; absent: the workspace itself"}},
    run_scan};

}  // namespace hone::app
