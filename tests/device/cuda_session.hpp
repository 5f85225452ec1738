#pragma once
// A worker whose CUDA device is the stand-in of tests/standin below the real NVRTC.

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "worker/client.hpp"

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

template <class T>
ArgumentValue scalar_of(const T& value) {
  ArgumentValue argument;
  argument.bytes.resize(sizeof value);
  std::memcpy(argument.bytes.data(), &value, sizeof value);
  return argument;
}
inline ArgumentValue buffer_of(std::string name) {
  return {.kind = ArgumentSpec::Kind::Buffer, .text = std::move(name), .bytes = {}, .local_bytes = 0};
}
inline ArgumentValue shared_of(std::size_t bytes) {
  return {.kind = ArgumentSpec::Kind::Local, .text = {}, .bytes = {}, .local_bytes = bytes};
}
template <class T>
std::vector<T> values_of(const std::vector<std::uint8_t>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}
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

/// One process for all tests that leave it alive.
class CudaSession : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!session_) start();
    if (session_) session_->limit(Milliseconds(60000));
  }
  static void TearDownTestSuite() { session_.reset(); }
  static void start() {
    auto started = worker::WorkerSessions(cuda_options()).start();
    if (!started && started.error().message().find("NVRTC") != std::string::npos &&
        std::getenv("HONE_MUST_RUN") == nullptr)
      GTEST_SKIP() << started.error().message();
    ASSERT_TRUE(started) << started.error().text();
    session_ = std::move(*started);
  }
  std::string build(const std::string& source, const std::vector<std::string>& options = {}) {
    auto outcome = session_->build(source, options);
    if (auto* built = std::get_if<Built>(&outcome)) return built->id;
    ADD_FAILURE() << (std::holds_alternative<NotBuilt>(outcome) ? std::get<NotBuilt>(outcome).log
                                                                : std::get<WorkerLost>(outcome).reason);
    return {};
  }
  Ran run(const std::string& id, const std::vector<ConcreteLaunch>& launches, const std::vector<std::string>& wanted) {
    auto outcome = session_->run(id, launches, wanted);
    if (auto* ran = std::get_if<Ran>(&outcome)) return *ran;
    ADD_FAILURE() << (std::holds_alternative<NotLaunched>(outcome) ? std::get<NotLaunched>(outcome).reason
                                                                   : std::get<WorkerLost>(outcome).reason);
    return {};
  }
  void load(const std::vector<BufferData>& buffers) {
    const auto outcome = session_->load(buffers, {});
    ASSERT_TRUE(std::holds_alternative<std::monostate>(outcome));
  }
  static std::unique_ptr<DeviceSession> session_;
};
inline std::unique_ptr<DeviceSession> CudaSession::session_;

}  // namespace hone
