#pragma once
// The disk and the shell for patch::validate.

#include <list>

#include "os/files.hpp"
#include "patch/validate.hpp"

namespace hone::app {

class DiskWorkspace final : public patch::Workspace {
 public:
  explicit DiskWorkspace(Seconds limit) : limit_(limit) {}
  Result<std::string> copy_tree(const std::string& folder) override;
  Status write(const std::string& folder, const Files& files) override;
  Result<patch::CommandOutcome> run(const std::string& command, const std::string& folder) override;

 private:
  Seconds limit_;
  std::list<os::TempFolder> copies_;
};

}  // namespace hone::app
