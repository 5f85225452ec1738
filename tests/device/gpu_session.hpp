#pragma once
// A worker whose GPU is a stand-in of tests/standin below the backend that a user runs: CUDA's below the real NVRTC,
// or, where HONE_TEST_HIP is defined, HIP's with hipRTC in it. Tests of both are written once, in words that both have.

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "support/worker_session.hpp"
#ifdef HONE_TEST_HIP
#include "device/hip/api.hpp"
#include "device/hip/compile.hpp"
#endif

namespace hone {

struct Vendor {
  std::string device, word, folder, architecture, header_of_halves;
  std::string illegal_address, out_of_memory, no_device;
};
#ifdef HONE_TEST_HIP
inline const Vendor kVendor{"hip",
                            "HIP",
                            "standin-hip",
                            "gfx1030",
                            "hip/hip_fp16.h",
                            "hipErrorIllegalAddress (700)",
                            "hipErrorOutOfMemory (2)",
                            "hipErrorNoDevice (100)"};
#else
inline const Vendor kVendor{"cuda",
                            "CUDA",
                            "standin",
                            "sm_86",
                            "cuda_fp16.h",
                            "CUDA_ERROR_ILLEGAL_ADDRESS (700)",
                            "CUDA_ERROR_OUT_OF_MEMORY (2)",
                            "CUDA_ERROR_NO_DEVICE (100)"};
#endif

/// Without masks, which HIP does not have, and with its headers.
inline std::string in_dialect(std::string source) {
  if (kVendor.device != "hip") return source;
  for (const auto* exchange : {"__shfl", "__shfl_up", "__shfl_down", "__shfl_xor", "__ballot", "__any", "__all"})
    source = replace_all(source, std::string(exchange) + "_sync(~0u, ", std::string(exchange) + "(");
  source = replace_all(source, "cuda_runtime.h", "hip/hip_runtime.h");
  return replace_all(source, "cuda_fp16.h", kVendor.header_of_halves);
}

inline worker::WorkerOptions gpu_options(const std::string& driver = kVendor.folder) {
  worker::WorkerOptions options;
  options.command = {std::string(HONE_BINARY_DIR) + "/bin/hone-worker"};
  const char* before = std::getenv("LD_LIBRARY_PATH");
  options.environment["LD_LIBRARY_PATH"] =
      std::string(HONE_BINARY_DIR) + "/" + driver + (before != nullptr ? std::string(":") + before : std::string());
  options.device = kVendor.device;
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

/// The stand-in's hipRTC takes more than HIP has: where the real one is installed, it must take the source too.
inline void compiles_for_a_gpu([[maybe_unused]] const std::string& source,
                               [[maybe_unused]] const std::vector<std::string>& options) {
#ifdef HONE_TEST_HIP
  if (!device::hip::hiprtc()) return;
  const auto made = device::hip::compile(source, options, kVendor.architecture, {});
  if (const auto* log = std::get_if<device::BuildLog>(&made)) ADD_FAILURE() << source << "\n" << log->text;
#endif
}

class GpuSession : public WorkerSession<GpuSession> {
 public:
  std::string build(const std::string& source, const std::vector<std::string>& options = {}) {
    compiles_for_a_gpu(in_dialect(source), options);
    return WorkerSession::build(in_dialect(source), options);
  }
  static void start() {
    auto started = worker::WorkerSessions(gpu_options()).start();
    if (!started && started.error().message().find("NVRTC") != std::string::npos &&
        std::getenv("HONE_MUST_RUN") == nullptr)
      GTEST_SKIP() << started.error().message();
    ASSERT_TRUE(started) << started.error().text();
    session_ = std::move(*started);
  }
};

}  // namespace hone
