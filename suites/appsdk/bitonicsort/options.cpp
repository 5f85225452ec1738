#include "options.hpp"

#include <stdexcept>
#include <string>

Options parse_options(int argc, char** argv) {
  Options options;
  if (argc > 1) options.length = std::stoul(argv[1]);
  if (argc > 2) {
    const std::string order = argv[2];
    if (order != "up" && order != "down") throw std::invalid_argument("order is up or down, not " + order);
    options.ascending = order == "up";
  }
  if (options.length < 2) throw std::invalid_argument("nothing to sort");
  return options;
}
