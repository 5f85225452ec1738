// hone: the command line. One file per subcommand; optimize's flow is pipeline.cpp.
#include <csignal>

#include "app/commands.hpp"
#include "os/kept_memory.hpp"

int main(int argc, char** argv) {
  using namespace hone::app;
  hone::os::keep_freed_memory();
  std::signal(SIGPIPE, SIG_IGN);  // a worker that died is an answer, not our end
  CLI::App cli("Takes a slow GPU kernel out of an application, makes it faster, proves it and puts it back.", "hone");
  cli.require_subcommand(1);
  cli.set_version_flag("--version", "hone " HONE_VERSION);
  Chosen chosen;
  add_subcommands(cli, chosen);
  try {
    cli.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    const int code = cli.exit(e);
    return code == 0 ? 0 : static_cast<int>(ExitCode::Misuse);
  }
  return finish(chosen.command, chosen.json);
}
