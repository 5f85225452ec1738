#include "app/session/confined_path.hpp"

#include <algorithm>

namespace hone::app {
namespace {

namespace fs = std::filesystem;

bool is_below(const fs::path& root, const fs::path& path) {
  return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
}

tl::unexpected<Error> outside(const std::string& path, const fs::path& root) {
  return fail("E-OUTSIDE", "'" + path + "' is not inside " + root.string(), "name a path below that folder");
}

}  // namespace

Result<Workspace> Workspace::at(const std::string& folder) {
  std::error_code problem;
  auto root = fs::canonical(folder, problem);
  if (problem || !fs::is_directory(root, problem)) return fail("E-FILE", folder + " is not a folder");
  return Workspace(std::move(root));
}

Result<fs::path> Workspace::inside(const std::string& path) const {
  if (path.find('\0') != std::string::npos) return outside("a path with a zero byte", root_);
  std::error_code problem;
  auto real = fs::weakly_canonical(root_ / path, problem);
  if (problem || !is_below(root_, real)) return outside(path, root_);
  return real;
}

Status Workspace::all_inside(const fs::path& folder) const {
  std::error_code problem;
  for (auto it = fs::recursive_directory_iterator(folder, problem); !problem && it != fs::end(it);
       it.increment(problem)) {
    if (!it->is_symlink(problem)) continue;
    const auto real = fs::weakly_canonical(it->path(), problem);
    if (problem || !is_below(root_, real)) return outside(it->path().string(), root_);
  }
  return {};
}

}  // namespace hone::app
