#pragma once
// What an application has: its kernels, where they are launched, and the macros its host code builds them with. In: the
// files of a folder. Out: plain values. Nothing is built or run, and headers may be missing.

#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/extraction.hpp"
#include "core/format.hpp"
#include "source/host/ports.hpp"

namespace hone::source {

namespace host {
struct DeviceTexts;
}

struct FoundKernel {
  std::string name, file;
  ByteRange range;  // in the file
  std::size_t line = 1;
  Embedding embedding = Embedding::File;
  Language language = Language::OpenCL;
  std::string signature;  // "matmul(__global const float *a, ...)" on one line
};

struct Scan {
  std::vector<FoundKernel> kernels;
  std::vector<LaunchSite> launches;
  std::vector<HostProgram> programs;
  std::vector<Define> defines;
  std::vector<ProgramText> texts;  // what the host builds, with its options
  std::vector<std::string> notes;
  std::vector<std::string> explained;  // kernels that a search for `__kernel` finds and that are none: why
  std::shared_ptr<const host::DeviceTexts> device;
};

/// Kernels that someone asks for; none: all.
struct WantedKernels {
  std::vector<std::string> names;
  std::string file;  // "lud.cl" or "main.c:57", when several define one of that name
};

/// "sub/main.c" and "main.c:57" are such a file.
bool is_in_file(const std::string& file, std::size_t line, const std::string& asked);

/// E-KERNEL when there is none at all. When kernels are wanted, only host code that may launch them is read.
Result<Scan> scan(const Files& application, const WantedKernels& wanted = {}, const hone::host::ReadPorts& ports = {});

}  // namespace hone::source
