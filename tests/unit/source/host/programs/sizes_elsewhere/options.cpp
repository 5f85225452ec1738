#include "options.hpp"

#include <string>

Options read_options(int argc, char** argv) {
  Options options;
  if (argc > 1) options.width = std::stoi(argv[1]);
  if (argc > 2) options.height = std::stoi(argv[2]);
  return options;
}

void fill(const Options& options, std::vector<float>& values) { values.resize(options.width * options.height); }
