#include "app/session/session_calls.hpp"

#include "app/calls/call.hpp"

namespace hone::app {

Callable calls_of(Session& session) {
  Callable out;
  out.version = HONE_VERSION;
  out.instructions =
      "Hone judges and tunes GPU kernels: scan and extract take one out of an application, brief tells what is known "
      "of "
      "it, check judges a candidate, tune searches its parameters, apply makes a patch of what is proven. Only an "
      "answer "
      "with `proven` true is a claim. `hone skill` prints the whole way.";
  out.tools = nlohmann::json::array();
  for (const auto* call : all_calls())
    out.tools.push_back({{"name", call->name}, {"description", call->description}, {"inputSchema", schema_of(*call)}});
  out.agent = session.options().agent;
  out.run = [&session](const std::string& name, const nlohmann::json& arguments, const std::string& agent) {
    return run_call(session, name, arguments, agent);
  };
  return out;
}

}  // namespace hone::app
