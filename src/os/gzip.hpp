#pragma once
// Files that may be compressed.

#include <filesystem>
#include <string>

#include "base/result.hpp"

namespace hone::os {

/// The file's bytes, decompressed when they are gzip. E-FILE when it cannot be read, E-GZIP when it is damaged.
Result<std::string> read_maybe_gzip(const std::filesystem::path& path);

}  // namespace hone::os
