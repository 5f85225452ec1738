#include "app/commands.hpp"

namespace hone::app {

void add_subcommands(CLI::App& cli, Chosen& chosen) {
#define HONE_ADD(name) add_##name(cli, chosen);
  HONE_SUBCOMMANDS(HONE_ADD)
#undef HONE_ADD
}

void choose(CLI::App* command_line, Chosen& chosen, Command command) {
  command_line->add_flag("--json", chosen.json, "Print the answer as JSON");
  command_line->callback([&chosen, command = std::move(command)] { chosen.command = command; });
}

}  // namespace hone::app
