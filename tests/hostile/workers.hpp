#pragma once
// Workers as these tests start them: the program beside them, under an environment of their choice.

#include <map>
#include <string>

#include "worker/client.hpp"

namespace hone::hostile {

inline worker::WorkerOptions worker_options(const std::map<std::string, std::string>& environment) {
  worker::WorkerOptions options;
  options.command = {std::string(HONE_BINARY_DIR) + "/bin/hone-worker"};
  options.environment = environment;
  return options;
}

}  // namespace hone::hostile
