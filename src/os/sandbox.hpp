#pragma once
// The sandbox around code that is not ours. A program confines itself in two steps, before it reads anything foreign:
//
//   enter()    starts the program again inside namespaces (bubblewrap, else our own) with a clean environment: no
//   network,
//              other processes and files out of sight, a private scratch folder at /tmp
//   confine()  inside, gives up root and all privileges, then lays Landlock, limits and a system call filter over
//   itself;
//              everything it starts from then on is confined too
//
// Each part is tried at run time; what does not hold is said in the report, with the way to get it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "os/files.hpp"
#include "os/sandbox_report.hpp"

namespace hone::os {

/// What encloses the program from outside.
enum class Enclosure { Best, Bubblewrap, Namespaces, None };
std::optional<Enclosure> enclosure_named(const std::string& name);  // "best", "bubblewrap", "namespaces", "none"

/// True in the process that enter() started; its marker is the first argument.
bool is_inside(int argc, char** argv);
/// Replaces this process; returns only when it could not. `arguments` are those of the program, without its name.
Error enter(const std::vector<std::string>& arguments, Enclosure wanted);

struct Confinement {
  std::uint64_t file_bytes = std::uint64_t{1} << 30U;
  std::uint64_t processes = 0;  // 0: by the number of cores
};
/// `marker` is the first argument of a process that is_inside(); empty for one that was never enclosed.
SandboxReport confine(const std::string& marker, const Confinement& confinement);

/// Caps the address space of this process and tells it as a part of the report. Device drivers of GPUs reserve far more
/// than they use, so this is for CPU devices only.
SandboxPart limit_memory(std::uint64_t bytes);

}  // namespace hone::os
