#pragma once
// Workers as these tests start them: the program beside them, under an environment of their choice.

#include <map>
#include <string>

#include "worker/client.hpp"

namespace hone::hostile {

inline worker::WorkerOptions worker_options(const std::map<std::string, std::string>& environment) {
  worker::WorkerOptions options;
  if (!environment.empty()) options.command.emplace_back("env");
  for (const auto& [name, value] : environment) options.command.push_back(name + "=" + value);
  options.command.push_back(std::string(HONE_BINARY_DIR) + "/bin/hone-worker");
  return options;
}

}  // namespace hone::hostile
