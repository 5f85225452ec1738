// hipRTC for tests: NVRTC with HIP's words in CUDA's, so that the emulator can run what it makes; the result is wrapped
// up as AMD's compilers do it. What HIP does not have, the real hipRTC refuses in a test of its own.

#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/cuda/compile.hpp"
#include "standin/hiprt/code_object.hpp"

#define RUNTIME extern "C" __attribute__((visibility("default")))

namespace {

struct Program {
  std::string source, log, code;
  std::vector<std::string> names;
  std::map<std::string, std::string> lowered;
};

constexpr int kCompilation = 6, kNoName = 10;

/// Words for Clang that NVRTC does not know and that change no answer.
bool is_for_clang(const std::string& word) {
  for (const auto* begin : {"--offload-arch=", "-O", "-W", "-m", "-f"})
    if (word.starts_with(begin)) return true;
  return false;
}

}  // namespace

RUNTIME int hiprtcVersion(int* major, int* minor) {
  *major = 6;
  *minor = 2;
  return 0;
}
RUNTIME const char* hiprtcGetErrorString(int status) {
  return status == kCompilation ? "HIPRTC_ERROR_COMPILATION" : "HIPRTC_ERROR";
}
RUNTIME int hiprtcCreateProgram(Program** out, const char* source, const char*, int, const char* const*,
                                const char* const*) {
  *out = new Program{source, {}, {}, {}, {}};
  return 0;
}
RUNTIME int hiprtcDestroyProgram(Program** program) {
  delete *program;
  *program = nullptr;
  return 0;
}
RUNTIME int hiprtcAddNameExpression(Program* program, const char* name) {
  program->names.emplace_back(name);
  return 0;
}
RUNTIME int hiprtcCompileProgram(Program* program, int count, const char* const* words) {
  std::vector<std::string> options;
  for (int i = 0; i < count; ++i)
    if (!is_for_clang(words[i])) options.emplace_back(words[i]);
  auto made = hone::device::cuda::compile(program->source, options, "compute_80", program->names);
  if (const auto* log = std::get_if<hone::device::BuildLog>(&made)) {
    program->log = log->text;
    return kCompilation;
  }
  auto& compiled = std::get<hone::device::cuda::Compiled>(made);
  program->code = standin::code_object_of(compiled.ptx);
  program->lowered = std::move(compiled.lowered);
  return 0;
}
RUNTIME int hiprtcGetLoweredName(Program* program, const char* name, const char** lowered) {
  const auto found = program->lowered.find(name);
  *lowered = found == program->lowered.end() ? nullptr : found->second.c_str();
  return *lowered == nullptr ? kNoName : 0;
}
RUNTIME int hiprtcGetProgramLogSize(Program* program, std::size_t* size) {
  *size = program->log.size() + 1;
  return 0;
}
RUNTIME int hiprtcGetProgramLog(Program* program, char* out) {
  std::memcpy(out, program->log.c_str(), program->log.size() + 1);
  return 0;
}
RUNTIME int hiprtcGetCodeSize(Program* program, std::size_t* size) {
  *size = program->code.size();
  return 0;
}
RUNTIME int hiprtcGetCode(Program* program, char* out) {
  std::memcpy(out, program->code.data(), program->code.size());
  return 0;
}
