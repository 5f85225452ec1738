#pragma once
// An application's folder: its text files, a kernel taken out of it, and the MEP made of that.

#include <string>
#include <vector>

#include "core/extraction.hpp"
#include "core/format.hpp"
#include "core/origin.hpp"
#include "source/extract.hpp"
#include "source/scan.hpp"

namespace hone::app {

/// Source files only, without build folders and version control. E-FILE when there is no such folder.
Result<Files> read_application(const std::string& folder);

/// "NAME=VALUE" words of the command line. E-DEFINE when one is not a name.
Result<std::map<std::string, std::string>> parse_defines(const std::vector<std::string>& words);

/// "NAME=VALUE" words with numbers. E-SET when one is not.
Result<std::map<std::string, Value>> parse_set(const std::vector<std::string>& words);

/// `file`: where to look when a name is defined twice; may be empty.
Result<Extraction> extract_kernel(const std::string& folder, const std::string& kernel,
                                  const std::vector<std::string>& defines, const std::string& file = {});

}  // namespace hone::app
