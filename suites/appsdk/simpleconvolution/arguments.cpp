#include "arguments.hpp"

#include <cstdlib>
#include <stdexcept>

Arguments Arguments::parse(int argc, char** argv) {
  Arguments parsed;
  int* fields[] = {&parsed.width, &parsed.height, &parsed.mask};
  for (int i = 1; i < argc && i <= 3; i++) *fields[i - 1] = std::atoi(argv[i]);
  if (parsed.width < 1 || parsed.height < 1) throw std::invalid_argument("an image has at least one pixel");
  if (parsed.mask < 1 || parsed.mask % 2 == 0 || parsed.mask > 63)
    throw std::invalid_argument("the mask's side is odd and at most 63");
  return parsed;
}
