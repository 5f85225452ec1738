// hone call: one request of a warm session from the command line; of the session that serves the MEP, or of one of its
// own that ends with the answer.
#include <fmt/format.h>

#include <iostream>
#include <iterator>

#include "app/commands.hpp"
#include "app/session/line_buffer.hpp"
#include "app/session/serving_socket.hpp"
#include "app/session/session_calls.hpp"
#include "os/unix_socket.hpp"

namespace hone::app {
namespace {

struct CallLine {
  SessionOptions session;
  std::string name, arguments = "{}", socket;
};

Result<nlohmann::json> arguments_of(const CallLine& line) {
  std::string text = line.arguments;
  if (text == "-") text.assign(std::istreambuf_iterator<char>(std::cin), {});
  auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return fail("E-REQUEST", "the arguments are no JSON object", "hone call X.mep brief '{}'");
  return json;
}

Result<std::string> line_from(int socket) {
  LineBuffer lines(std::size_t{64} << 20U);
  char block[1 << 16];
  for (;;) {
    if (auto line = lines.next()) return std::move(line->text);
    const auto got = ::read(socket, block, sizeof(block));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return fail("E-SOCKET", "the session ended before it answered", "hone serve X.mep");
    lines.add({block, static_cast<std::size_t>(got)});
  }
}

Result<Answer> asked_there(const os::Fd& socket, const CallLine& line, const nlohmann::json& arguments) {
  const nlohmann::json request = {
      {"id", 1}, {"call", line.name}, {"arguments", arguments}, {"agent", line.session.agent}};
  if (!os::send_all(socket.get(), request.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"))
    return fail("E-SOCKET", "the session does not listen any more", "hone serve X.mep");
  const auto text = line_from(socket.get());
  if (!text) return fail(text.error());
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object()) return fail("E-SOCKET", "what answers there is no session of Hone");
  if (json.contains("error")) {
    const auto& error = json["error"];
    return fail(error.value("code", "E-REQUEST"), error.value("message", ""), error.value("next", ""));
  }
  return Answer{static_cast<ExitCode>(json.value("code", 0)), json.value("text", ""),
                json.value("data", nlohmann::json())};
}

Result<Answer> call(CallLine line) {
  const auto arguments = arguments_of(line);
  if (!arguments) return fail(arguments.error());
  const auto path = line.socket.empty() ? serving_socket(line.session.mep) : Result<std::string>(line.socket);
  if (!path) return fail(path.error());
  if (const auto socket = os::connect_to(*path)) return asked_there(*socket, line, *arguments);
  if (!line.socket.empty()) return fail("E-SOCKET", "nobody listens at " + line.socket, "hone serve X.mep");
  line.session.workspace = line.session.mep;
  const auto session = Session::open(line.session);
  if (!session) return fail(session.error());
  return run_call(**session, line.name, *arguments, line.session.agent);
}

}  // namespace

void add_call(CLI::App& cli, Chosen& chosen) {
  auto* command =
      cli.add_subcommand("call", "Asks one thing of a served MEP: brief, profile, suggest, check, tune, apply");
  auto line = std::make_shared<CallLine>();
  command->add_option("mep", line->session.mep, "A MEP folder")->required();
  command->add_option("name", line->name, "The call")->required();
  command->add_option("arguments", line->arguments, "Its arguments, a JSON object; - reads them from stdin")
      ->capture_default_str();
  command->add_option("--socket", line->socket, "Where it is served; the MEP's own place when absent");
  line->session.add_options(*command);
  choose(command, chosen, [line] { return call(*line); });
}

}  // namespace hone::app
