#pragma once
// Attempts to get out of the sandbox, each a few lines: true when something was reached that must not be.

#include <map>
#include <string>
#include <vector>

namespace hone::escape {

/// What the test prepared outside, by name: "folder", "tcp", "udp", "unix", "abstract", "parent".
using Bait = std::map<std::string, std::string>;

struct Attempt {
  const char* name;
  const char* part;  // of the sandbox report that must stop it
  bool (*escapes)(const Bait& bait);
};
const std::vector<Attempt>& attempts();

}  // namespace hone::escape
