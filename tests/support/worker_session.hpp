#pragma once
// One worker for the tests of a device, with requests that fail the test where they are not answered, and values as
// requests carry them.

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "worker/client.hpp"

namespace hone {

template <class T>
ArgumentValue scalar_of(const T& value) {
  ArgumentValue argument;
  argument.bytes.resize(sizeof value);
  std::memcpy(argument.bytes.data(), &value, sizeof value);
  return argument;
}
inline ArgumentValue named_of(ArgumentSpec::Kind kind, std::string name) {
  return {.kind = kind, .text = std::move(name), .bytes = {}, .local_bytes = 0};
}
inline ArgumentValue buffer_of(std::string name) { return named_of(ArgumentSpec::Kind::Buffer, std::move(name)); }
inline ArgumentValue local_of(std::size_t bytes) {
  return {.kind = ArgumentSpec::Kind::Local, .text = {}, .bytes = {}, .local_bytes = bytes};
}
template <class T>
std::vector<T> values_of(const std::vector<std::uint8_t>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// A fixture whose tests share a process as long as they leave it alive: a fresh one has empty caches, and compiling is
/// slow. `Device` has a static start(), which sets `session_`, skips or fails.
template <class Device>
class WorkerSession : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!session_) Device::start();
    if (session_) session_->limit(worker::WorkerOptions().limit);
  }
  static void TearDownTestSuite() { session_.reset(); }
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
  void load(const std::vector<BufferData>& buffers, const std::vector<ImageData>& images = {}) {
    ASSERT_TRUE(std::holds_alternative<std::monostate>(session_->load(buffers, images)));
  }
  static inline std::unique_ptr<DeviceSession> session_;
};

}  // namespace hone
