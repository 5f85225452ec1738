// hone mcp: the same calls over the Model Context Protocol, JSON-RPC on stdin and stdout.
#include <unistd.h>

#include <filesystem>

#include "app/commands.hpp"
#include "app/interrupt.hpp"
#include "app/session/conversation.hpp"
#include "app/session/session_calls.hpp"

namespace hone::app {
namespace {

Result<Answer> speak(SessionOptions options) {
  Interrupt interrupt;
  if (options.mep.empty() && std::filesystem::exists(options.workspace + "/mep.toml")) options.mep = options.workspace;
  const auto session = Session::open(options);
  if (!session) return fail(session.error());
  const auto calls = calls_of(**session);
  ModelContext tongue(calls);
  converse(tongue, STDIN_FILENO, STDOUT_FILENO);
  return Answer{};
}

}  // namespace

void add_mcp(CLI::App& cli, Chosen& chosen) {
  auto* command = cli.add_subcommand("mcp", "Lets an agent hold the loop, as a server of the Model Context Protocol");
  auto options = std::make_shared<SessionOptions>();
  options->workspace = ".";
  command
      ->add_option("workspace", options->workspace,
                   "An application's folder, a MEP, or a folder with both: paths in requests stay in it")
      ->capture_default_str();
  command->add_option("--mep", options->mep, "A MEP to use from the start");
  options->add_options(*command);
  choose(command, chosen, [options] { return speak(*options); });
}

}  // namespace hone::app
