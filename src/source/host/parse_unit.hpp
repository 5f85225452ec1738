#pragma once
// One translation unit of the application -> its host tree, by Clang, with as much tolerance as Clang has: a header
// that does not exist is an empty one, an error costs the statement it is in. Called in a contained process only.

#include <string>
#include <vector>

#include "core/format.hpp"
#include "source/host/tree.hpp"

namespace hone::host {

enum class Tongue { C, Cpp, Cuda, Hip };

struct UnitRequest {
  std::string file;  // of the application
  Tongue tongue = Tongue::C;
  std::vector<std::string> include_folders;  // of the application, nearest first
  std::vector<std::string> options;          // of its compile command: -D, -I (already placed), -std
  std::vector<std::string> reads;            // files of the application it is made of, itself among them
};

Unit parse_unit(const Files& application, const UnitRequest& request);

}  // namespace hone::host
