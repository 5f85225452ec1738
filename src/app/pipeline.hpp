#pragma once
// hone optimize from end to end; pipeline.cpp reads like a table of contents.

#include <string>
#include <vector>

#include "app/completion.hpp"
#include "app/console.hpp"
#include "app/improve.hpp"

namespace hone::app {

struct OptimizeRequest {
  std::string input, kernel;
  CompletionRequest completion;  // how the kernel is taken out; application and kernel are those above
  ImproveOptions improve;
  std::string patch_file, validate, keep_mep;
  std::string architecture;  // compiled for where a kernel finds no GPU; empty: sm_80 or gfx90a
  bool write = false;
  bool keep_launch = false;
  bool per_shape = false;  // with several tune workloads: the patch chooses by size
};

Result<Answer> optimize(const OptimizeRequest& request, Console& console);

}  // namespace hone::app
