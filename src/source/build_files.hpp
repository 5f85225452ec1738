#pragma once
// What Makefiles and CMake lists give to the compiler: -D words with the values their variables have by default.

#include <string>
#include <vector>

#include "core/format.hpp"

namespace hone::source {

struct BuildDefine {
  std::string name, value;
  std::string folder;  // of the build file, "" at the root; it counts for the files below
  std::string place;   // "Makefile:7"
};

std::vector<BuildDefine> build_defines(const Files& application);
bool is_build_file(const std::string& path);

}  // namespace hone::source
