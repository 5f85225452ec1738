#include "options.hpp"

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

Sizes parse(int argc, char** argv) {
  std::vector<int> given;
  for (int i = 1; i < argc; ++i) given.push_back(std::atoi(argv[i]));
  if (given.empty()) given = {320};
  if (given.size() == 1) given.assign(5, given[0]);
  bool good = given.size() == 5;
  for (int size : given) good = good && size > 0 && size <= 8192;
  if (!good) {
    std::cerr << "usage: " << argv[0] << " [N | NI NJ NK NL NM]\n";
    std::exit(2);
  }
  return {given[0], given[1], given[2], given[3], given[4]};
}
