#pragma once
// The user's own command decides: it must pass on the application as it is, and pass again with the patch. In a copy of
// the tree, unless the person said to write. Processes and disks are behind a port that os/ fills.

#include <string>

#include "base/result.hpp"
#include "base/units.hpp"
#include "patch/patch.hpp"

namespace hone::patch {

struct CommandOutcome {
  int exit = 0;
  bool timed_out = false;
  std::string output;  // both streams, cut
  Milliseconds took{0};
  Recording recording;  // what it launched
  bool passed() const { return exit == 0 && !timed_out; }
};

class Workspace {
 public:
  virtual ~Workspace() = default;
  /// A fresh copy of the application's tree, without its .git; removed when the Workspace goes.
  virtual Result<std::string> copy_tree(const std::string& folder) = 0;
  virtual Status write(const std::string& folder, const Files& files) = 0;
  /// Through the shell, in that folder, watched by the layer and with no program cache of an earlier run.
  virtual Result<CommandOutcome> run(const std::string& command, const std::string& folder) = 0;
};

struct Validation {
  std::string command;
  CommandOutcome before, after;
  Engagement engagement;
  bool passed() const { return before.passed() && after.passed(); }
};

/// E-VALIDATE when the command fails already without the patch: then it says nothing about the patch.
Result<Validation> validate(const Patch& patch, const std::string& folder, const std::string& command,
                            Workspace& workspace);

}  // namespace hone::patch
