#include <CL/cl.h>

#include "options.hpp"
#include "run.hpp"

int main(int argc, char** argv) {
  const Options options = read_options(argc, argv);
  std::vector<float> values;
  fill(options, values);
  std::vector<float> mixed(16);
  shuffled_by_a_library(mixed);
  run(options, values, mixed);
}
