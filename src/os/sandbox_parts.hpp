#pragma once
// Inside os/ only: the pieces that sandbox.hpp is made of.

#include <cstdint>
#include <string>
#include <vector>

#include "os/files.hpp"

namespace hone::os {

/// What the confined program may touch. Everything else does not exist for it, or is refused.
struct Reach {
  std::vector<Path> readable;  // system libraries, device runtimes, their settings
  std::vector<Path> devices;   // GPU nodes that are present
  std::vector<Path> writable;  // the scratch folder; the log of a checker around us
};
/// `scratch` is the private folder as the confined program sees it.
Reach reach_of_this_machine(const Path& scratch);
/// The environment with secrets left out: only what runtimes and compilers need, with the scratch folder as home.
std::vector<std::string> clean_environment(const Path& scratch);

/// 0 when the kernel has no Landlock.
int landlock_version();
/// True when the rules are in force for this thread and all it will start.
bool restrict_files(const Reach& reach);
/// Refuses system calls that no kernel and no compiler needs. `with_gpu` leaves local sockets, which GPU drivers use.
bool restrict_system_calls(bool with_gpu);

}  // namespace hone::os
