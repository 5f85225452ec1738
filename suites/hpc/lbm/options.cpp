#include "options.hpp"

#include <cstdlib>
#include <iostream>

Options read_options(int argc, char** argv) {
  Options options;
  if (argc > 2) {
    options.width = std::atoi(argv[1]);
    options.height = std::atoi(argv[2]);
  }
  if (argc > 3) options.steps = std::atoi(argv[3]);
  if (argc == 2 || argc > 4 || options.width < 8 || options.height < 8 || options.steps < 1) {
    std::cerr << "usage: lbm [WIDTH HEIGHT [STEPS]], at least 8 x 8 cells\n";
    std::exit(2);
  }
  return options;
}
