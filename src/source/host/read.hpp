#pragma once
// Host code, read by a compiler: files -> trees (Clang, contained) -> what the program does with kernels (interpreter
// through the API table) -> plain values. The one door of this folder.

#include <string>
#include <vector>

#include "core/extraction.hpp"
#include "core/format.hpp"
#include "source/host/machine.hpp"
#include "source/host/ports.hpp"

namespace hone::host {

struct ReadLimits {
  std::size_t units = 64;                                                         // files that are parsed
  std::size_t roots = 48;                                                         // functions that are run
  std::chrono::milliseconds parse_each{10000}, parse_all{50000}, run_all{12000};  // of processor time
};

struct HostReading {
  std::vector<HostProgram> programs;  // one per function where a sequence of launches begins
  std::vector<LaunchSite> sites;
  std::vector<Define> defines;  // from the options of builds
  std::vector<ProgramText> texts;
  std::vector<std::string> notes;
  std::vector<Trace> traces;  // for people and goldens
};

HostReading read_host(const Files& application, const std::vector<std::string>& kernels, const ReadPorts& ports = {},
                      const ReadLimits& limits = {});

/// A trace as text: one line a launch, a copy or a loop, with values and where they come from.
std::string print(const Trace& trace);

/// -DNAME=VALUE of an option string.
std::vector<Define> defines_in(const std::string& options, const std::string& place);
/// ... and what their values were made of.
std::vector<Define> defines_of(const ProgramText& program);

}  // namespace hone::host
