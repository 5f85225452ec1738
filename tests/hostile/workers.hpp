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
  options.command = {std::string(HONE_BINARY_DIR) + "/bin/hone-worker"};
  options.environment = environment;
  if (environment.empty()) {  // as a command has them; what watches is another runtime
    static const auto compilers = std::make_shared<worker::CompiledPrograms>(options);
    options.compiled = compilers;
  }
  return options;
}

}  // namespace hone::hostile
