#pragma once
// Files and folders as text. In: paths. Out: contents, or an E-FILE error that names the path and what the system said.

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace hone::os {

using Path = std::filesystem::path;

Result<std::string> read_text(const Path& path);
/// All or nothing: written beside the target, flushed, then renamed over it. Missing folders are made.
Status write_text(const Path& path, std::string_view text);

/// Every regular file below `folder`, by its path inside it. Files above `largest` bytes are left out: a folder of text
/// is meant.
Result<std::map<std::string, std::string>> read_folder(const Path& folder,
                                                       std::size_t largest = std::size_t{64} << 20U);
/// Writes each file atomically; files already there and not named are kept.
Status write_folder(const Path& folder, const std::map<std::string, std::string>& files);

/// A folder that is removed with its contents when this ends.
class TempFolder {
 public:
  static Result<TempFolder> make(std::string_view name = "hone");
  TempFolder(TempFolder&& other) noexcept;
  TempFolder& operator=(TempFolder&& other) noexcept;
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder();
  const Path& path() const { return path_; }

 private:
  explicit TempFolder(Path path) : path_(std::move(path)) {}
  void remove();
  Path path_;
};

/// Of the running program: other programs of an installation lie beside it.
Path own_program();
/// The first executable of that name on PATH; empty when there is none.
Path find_program(std::string_view name);

}  // namespace hone::os
