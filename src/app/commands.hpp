#pragma once
// The subcommands as one list. Adding one is a file with its `add_NAME`, which declares its options on the command line
// and, when chosen, leaves its work in `chosen`, and one word here. The order is that of --help.

#include <CLI/CLI.hpp>

#include "app/console.hpp"

#define HONE_SUBCOMMANDS(each)                                                                                  \
  each(optimize) each(scan) each(extract) each(show) each(brief) each(check) each(tune) each(apply) each(serve) \
      each(mcp) each(call) each(skill) each(devices) each(patterns) each(report) each(clean)

namespace hone::app {

struct Chosen {
  Command command;
  bool json = false;
};

#define HONE_DECLARE(name) void add_##name(CLI::App& cli, Chosen& chosen);
HONE_SUBCOMMANDS(HONE_DECLARE)
#undef HONE_DECLARE

void add_subcommands(CLI::App& cli, Chosen& chosen);

/// Every command has --json and runs `command` when it is the one typed.
void choose(CLI::App* command_line, Chosen& chosen, Command command);

}  // namespace hone::app
