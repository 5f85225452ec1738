#pragma once
// Workers as these tests start them: the program beside them, under an environment of their choice.

#include <map>
#include <memory>
#include <string>

#include "worker/client.hpp"
#include "worker/compiled_programs.hpp"

namespace hone::hostile {

inline worker::WorkerOptions worker_options(const std::map<std::string, std::string>& environment) {
  worker::WorkerOptions options;
  if (!environment.empty()) options.command.emplace_back("env");
  for (const auto& [name, value] : environment) options.command.push_back(name + "=" + value);
  options.command.push_back(std::string(HONE_BINARY_DIR) + "/bin/hone-worker");
  if (environment.empty()) {  // as a command has them; what watches is another runtime
    static const auto compilers = std::make_shared<worker::CompiledPrograms>(options);
    options.compiled = compilers;
  }
  return options;
}

}  // namespace hone::hostile
