#pragma once
// Searches without a device: hone tune --replay simulates on measurements made earlier, in Kernel Tuner's cache format
// or in T4; hone tune --space looks at a T1 description.

#include <string>

#include "app/console.hpp"

namespace hone::app {

struct ReplayRequest {
  std::string file, strategy = "adaptive", budget = "200";
  double target = 0;        // in the file's unit; 0: none
  std::size_t no_gain = 0;  // evaluations; 0: no limit
  std::string prior;        // another such file
  std::uint64_t seed = 1;
};
Result<Answer> replay(const ReplayRequest& request);

/// How many points a T1 file's space has, and what its parameters are.
Result<Answer> describe_space(const std::string& file);

}  // namespace hone::app
