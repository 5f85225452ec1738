#pragma once
// A tree may hold a hundred programs. For one kernel only those files are read that may launch it: units that name it,
// the nearest to its definition, what these call and who calls them.

#include <optional>
#include <string>
#include <vector>

#include "core/format.hpp"
#include "core/language.hpp"

namespace hone::host {

struct Wanted {
  std::vector<std::string> kernels;
  std::vector<std::string> files;  // that define them
  Language language = Language::OpenCL;
};

/// The application without the units that have nothing to do with these kernels; nothing when no unit names them.
std::optional<Files> near(const Files& application, const Wanted& wanted);

/// A launch that stands in such a file may be one of a kernel in this language.
bool may_launch(const std::string& file, Language language);

}  // namespace hone::host
