#include "emulator/compile.hpp"

#include <dlfcn.h>

#include <map>

#include "base/hash.hpp"
#include "os/process.hpp"

namespace hone::emulator {
namespace {

constexpr Milliseconds kCompiling{120'000};

std::string compiler() {
  for (const auto* name : {"g++", "c++"})
    if (const auto path = os::find_program(name); !path.empty()) return path.string();
  return {};
}

}  // namespace

Code::~Code() { ::dlclose(library_); }

void* Code::find(const char* name) const { return ::dlsym(library_, name); }

Result<std::shared_ptr<Code>> Code::compile(const std::string& text) {
  static std::map<std::string, std::shared_ptr<Code>> compiled;
  auto& known = compiled[content_hash(text)];
  if (known) return known;
  const auto program = compiler();
  if (program.empty())
    return fail("E-COMPILER", "emulating a kernel needs a C++ compiler, and neither g++ nor c++ is on PATH",
                "apt-get install g++");
  const auto folder = os::TempFolder::make("hone-emulator");
  if (!folder) return fail(folder.error());
  const auto source = folder->path() / "kernel.cpp", library = folder->path() / "kernel.so";
  if (auto written = os::write_text(source, text); !written) return fail(std::move(written).error());
  os::Command command;
  command.words = {program,
                   "-std=c++20",
                   "-O1",
                   "-w",
                   "-shared",
                   "-fPIC",
                   "-fno-exceptions",
                   "-fno-rtti",
                   "-fno-strict-aliasing",
                   "-ffp-contract=off",
                   "-fwrapv",
                   "-fno-stack-protector"};
  if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2")) command.words.emplace_back("-march=x86-64-v3");
  command.words.insert(command.words.end(), {source.string(), "-o", library.string(), "-lm"});
  // What was set for a device's libraries is not for the compiler's.
  command.environment = {{"LD_LIBRARY_PATH", ""}, {"LD_PRELOAD", ""}, {"TMPDIR", folder->path().string()}};
  command.folder = folder->path();
  const auto done = os::run(command, "", kCompiling);
  if (!done) return fail(Error(done.error()).context("compiling a kernel for the emulator"));
  if (done->timed_out || done->exit.code != 0 || done->exit.signal != 0)
    return fail("E-COMPILER", "the C++ compiler refused a translated kernel: " + done->err.substr(0, 2000));
  void* loaded = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) return fail("E-COMPILER", std::string("loading a translated kernel: ") + ::dlerror());
  known = std::shared_ptr<Code>(new Code(loaded));
  return known;
}

}  // namespace hone::emulator
