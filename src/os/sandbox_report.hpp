#pragma once
// Which parts of the sandbox hold here, told truthfully: what a part is for, whether it is enforced, by what, and what
// would have to be done where it is not.

#include <string>
#include <vector>

namespace hone::os {

struct SandboxPart {
  std::string name;  // "network", "files", "other processes", ...
  bool enforced = false;
  std::string means;   // by what it is enforced, or why it is not
  std::string remedy;  // how to get it; empty when it is there
  bool operator==(const SandboxPart&) const = default;
};
struct SandboxReport {
  std::vector<SandboxPart> parts;
  bool operator==(const SandboxReport&) const = default;
};

}  // namespace hone::os
