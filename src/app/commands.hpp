#pragma once
// One function per subcommand: it declares its options on the command line and, when chosen, leaves its work in
// `chosen`.

#include <CLI/CLI.hpp>

#include "app/console.hpp"

namespace hone::app {

struct Chosen {
  Command command;
  bool json = false;
};

void add_devices(CLI::App& cli, Chosen& chosen);
void add_scan(CLI::App& cli, Chosen& chosen);
void add_extract(CLI::App& cli, Chosen& chosen);
void add_show(CLI::App& cli, Chosen& chosen);
void add_check(CLI::App& cli, Chosen& chosen);
void add_tune(CLI::App& cli, Chosen& chosen);
void add_optimize(CLI::App& cli, Chosen& chosen);
void add_apply(CLI::App& cli, Chosen& chosen);
void add_patterns(CLI::App& cli, Chosen& chosen);
void add_report(CLI::App& cli, Chosen& chosen);

/// Every command has --json and runs `command` when it is the one typed.
void choose(CLI::App* command_line, Chosen& chosen, Command command);

}  // namespace hone::app
