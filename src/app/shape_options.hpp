#pragma once
// --shape and --held-out: the problem sizes a person names in place of those that were found or chosen.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "core/mep.hpp"

namespace hone::app {

struct ShapeOptions {
  std::vector<std::string> tune, held_out;
  void add_options(CLI::App& command);
};

Result<Mep> shaped(Mep mep, const ShapeOptions& options);

}  // namespace hone::app
