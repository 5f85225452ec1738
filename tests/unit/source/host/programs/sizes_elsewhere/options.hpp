#pragma once
#include <vector>

struct Options {
  int width = 320, height = 200;
};
Options read_options(int argc, char** argv);
void fill(const Options& options, std::vector<float>& values);
void shuffled_by_a_library(std::vector<float>& values);
