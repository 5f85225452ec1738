#pragma once
// Paths that come in requests: of one folder, whatever they say. Links are followed before it is decided.

#include <filesystem>
#include <string>

#include "base/result.hpp"

namespace hone::app {

class Workspace {
 public:
  /// E-FILE when there is no such folder.
  static Result<Workspace> at(const std::string& folder);
  const std::filesystem::path& root() const { return root_; }
  /// The path as it really is, taken from the workspace when it is not absolute. E-OUTSIDE when it leads elsewhere.
  Result<std::filesystem::path> inside(const std::string& path) const;
  /// Nothing below this folder, nor the folder itself, is a link that leads elsewhere.
  Status all_inside(const std::filesystem::path& folder) const;

 private:
  explicit Workspace(std::filesystem::path root) : root_(std::move(root)) {}
  std::filesystem::path root_;  // canonical
};

}  // namespace hone::app
