// hone serve: a warm session for one MEP behind a socket, JSON lines in and out.
#include <fmt/format.h>

#include <filesystem>

#include "app/commands.hpp"
#include "app/interrupt.hpp"
#include "app/session/conversation.hpp"
#include "app/session/serving_socket.hpp"
#include "app/session/session_calls.hpp"
#include "os/unix_socket.hpp"

namespace hone::app {
namespace {

struct ServeRequest {
  SessionOptions session;
  std::string socket;
};

Result<Answer> serve(ServeRequest request) {
  Interrupt interrupt;
  if (request.session.workspace.empty()) request.session.workspace = request.session.mep;
  const auto path = request.socket.empty() ? serving_socket(request.session.mep) : Result<std::string>(request.socket);
  if (!path) return fail(path.error());
  const auto listening = os::listen_at(*path);
  if (!listening) return fail(listening.error());
  const auto session = Session::open(request.session);
  std::error_code none;
  if (!session) {
    std::filesystem::remove(*path, none);
    return fail(session.error());
  }
  fmt::print("{}\n", nlohmann::json{{"serving", request.session.mep}, {"socket", *path}}.dump());
  std::fflush(stdout);
  const auto calls = calls_of(**session);
  JsonLines tongue(calls);
  serve_all(tongue, *listening);
  std::filesystem::remove(*path, none);
  return Answer{};
}

}  // namespace

void add_serve(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("serve", "Keeps a MEP ready and answers an agent's requests over a socket");
  auto request = std::make_shared<ServeRequest>();
  command->add_option("mep", request->session.mep, "A MEP folder")->required();
  command->add_option("--workspace", request->session.workspace,
                      "The folder that paths in requests stay in; the MEP's own when absent");
  command->add_option("--socket", request->socket, "Where to listen; in the state folder when absent");
  request->session.add_options(*command);
  choose(command, chosen, [request] { return serve(*request); });
}

}  // namespace hone::app
