#include "app/commands.hpp"

namespace hone::app {

void choose(CLI::App* command_line, Chosen& chosen, Command command) {
  command_line->add_flag("--json", chosen.json, "Print the answer as JSON");
  command_line->callback([&chosen, command = std::move(command)] { chosen.command = command; });
}

}  // namespace hone::app
