#pragma once

#include <cstddef>

struct Options {
  std::size_t length = std::size_t{1} << 19;
  bool ascending = true;
};

/// bitonicsort [LENGTH [up|down]]
Options parse_options(int argc, char** argv);
