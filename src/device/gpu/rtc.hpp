#pragma once
// NVRTC and hipRTC, whose calls differ by their names alone: source, options and headers -> what the compiler made of
// them and said.

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "device/gpu/driver.hpp"

namespace hone::device::gpu {

using RtcProgram = struct GpuRtcProgram*;

// clang-format off
#define HONE_RTC_FUNCTIONS(X) \
  X(version, "nvrtcVersion", "hiprtcVersion", int (*)(int*, int*)) \
  X(error_text, "nvrtcGetErrorString", "hiprtcGetErrorString", const char* (*)(int)) \
  X(create, "nvrtcCreateProgram", "hiprtcCreateProgram", int (*)(RtcProgram*, const char*, const char*, int, const char* const*, const char* const*)) \
  X(destroy, "nvrtcDestroyProgram", "hiprtcDestroyProgram", int (*)(RtcProgram*)) \
  X(add_name, "nvrtcAddNameExpression", "hiprtcAddNameExpression", int (*)(RtcProgram, const char*)) \
  X(compile, "nvrtcCompileProgram", "hiprtcCompileProgram", int (*)(RtcProgram, int, const char* const*)) \
  X(lowered_name, "nvrtcGetLoweredName", "hiprtcGetLoweredName", int (*)(RtcProgram, const char*, const char**)) \
  X(log_size, "nvrtcGetProgramLogSize", "hiprtcGetProgramLogSize", int (*)(RtcProgram, std::size_t*)) \
  X(log, "nvrtcGetProgramLog", "hiprtcGetProgramLog", int (*)(RtcProgram, char*)) \
  X(code_size, "nvrtcGetPTXSize", "hiprtcGetCodeSize", int (*)(RtcProgram, std::size_t*)) \
  X(code, "nvrtcGetPTX", "hiprtcGetCode", int (*)(RtcProgram, char*))
// clang-format on

struct Rtc {
#define HONE_DECLARE(name, nvrtc, hiprtc, type) \
  std::type_identity_t<type> name = nullptr;  // NOLINT(bugprone-macro-parentheses)
  HONE_RTC_FUNCTIONS(HONE_DECLARE)
#undef HONE_DECLARE
  int major = 0, minor = 0;
};
/// All functions of the table above; those that are missing are named.
std::vector<std::string> fill(Rtc& rtc, void* library, Vendor vendor);

/// Given to a compiler that has no headers of the host.
struct Header {
  const char* name;
  const char* text;
};

class Compilation {
 public:
  /// `file`: what the compiler calls the source in its messages.
  Compilation(const Rtc& rtc, const std::string& source, const char* file, std::span<const Header> headers);
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;
  ~Compilation();

  /// `names`: instances of templates, as C++ writes them.
  void compile(const std::vector<std::string>& options, const std::vector<std::string>& names);
  bool good() const { return status_ == 0; }
  std::string log() const;
  /// PTX, or a code object.
  std::string code() const { return text_of(rtc_.code_size, rtc_.code); }
  std::string text_of(int (*size_of)(RtcProgram, std::size_t*), int (*get)(RtcProgram, char*)) const;
  /// Symbols of the instances that were asked for.
  std::map<std::string, std::string> lowered() const;

 private:
  const Rtc& rtc_;
  RtcProgram program_ = nullptr;
  std::vector<std::string> names_;
  int status_ = 0;
};

}  // namespace hone::device::gpu
