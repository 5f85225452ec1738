#pragma once
// MEP and Template manifests as TOML text. Errors name the file, the line, the key and the nearest known key.

#include <map>
#include <string>

#include "base/result.hpp"
#include "core/mep.hpp"
#include "core/template.hpp"

namespace hone {

/// A folder as text: path inside the folder -> contents. Reading and writing disks is not core's.
using Files = std::map<std::string, std::string>;

/// mep.toml and its kernel file; `folder` is only for messages.
Result<Mep> mep_from_files(const Files& files, const std::string& folder);
/// mep.toml and the kernel file; mep/ adds the driver and the rest.
Files to_files(const Mep& mep);
/// template.toml and, for a source template, its kernel file.
Result<Template> template_from_files(const Files& files, const std::string& folder);
Files to_files(const Template& value);

/// `file` is only for messages. The source text is set by whoever reads the folder.
Result<Mep> mep_from_toml(const std::string& text, const std::string& file);
std::string to_toml(const Mep& mep);

Result<Template> template_from_toml(const std::string& text, const std::string& file);
std::string to_toml(const Template& value);

}  // namespace hone
