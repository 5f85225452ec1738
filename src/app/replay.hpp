#pragma once
// hone tune --replay: the search simulated on measurements made earlier, in Kernel Tuner's cache format or in T4.

#include <string>

#include "app/console.hpp"

namespace hone::app {

struct ReplayRequest {
  std::string file, strategy = "adaptive", budget = "200";
  std::uint64_t seed = 1;
};
Result<Answer> replay(const ReplayRequest& request);

}  // namespace hone::app
