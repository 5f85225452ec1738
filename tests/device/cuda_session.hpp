#pragma once
// A worker whose CUDA device is the stand-in of tests/standin below the real NVRTC.

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "support/worker_session.hpp"

namespace hone {

inline worker::WorkerOptions cuda_options(const std::string& driver = "standin") {
  worker::WorkerOptions options;
  options.command = {std::string(HONE_BINARY_DIR) + "/bin/hone-worker"};
  const char* before = std::getenv("LD_LIBRARY_PATH");
  options.environment["LD_LIBRARY_PATH"] =
      std::string(HONE_BINARY_DIR) + "/" + driver + (before != nullptr ? std::string(":") + before : std::string());
  options.device = "cuda";
  return options;
}

inline ArgumentValue shared_of(std::size_t bytes) { return local_of(bytes); }
template <class T>
BufferData data_of(std::string name, const std::string& type, const std::vector<T>& values) {
  BufferData out;
  out.name = std::move(name);
  out.type = type;
  out.count = values.size();
  out.contents.resize(values.size() * sizeof(T));
  std::memcpy(out.contents.data(), values.data(), out.contents.size());
  return out;
}

class CudaSession : public WorkerSession<CudaSession> {
 public:
  static void start() {
    auto started = worker::WorkerSessions(cuda_options()).start();
    if (!started && started.error().message().find("NVRTC") != std::string::npos &&
        std::getenv("HONE_MUST_RUN") == nullptr)
      GTEST_SKIP() << started.error().message();
    ASSERT_TRUE(started) << started.error().text();
    session_ = std::move(*started);
  }
};

}  // namespace hone
