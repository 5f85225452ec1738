#pragma once
// What a macro is that a kernel's text uses and does not define: by the host's build options, the build files, what
// host code defines under the name, what stands in its strings, and at last by the use that is made of it.

#include <optional>
#include <string>
#include <vector>

#include "core/extraction.hpp"
#include "source/build_check.hpp"
#include "source/build_files.hpp"
#include "source/scan.hpp"

namespace hone::source {

/// Options of the programs made of this text: their defines, the first that says a name wins.
std::vector<Define> option_defines(const std::vector<const ProgramText*>& programs);
/// Options of the same that are neither: the language, and what the compiler may do to arithmetic.
std::vector<std::string> compiler_options(const std::vector<const ProgramText*>& programs);
/// -I folders of the same.
std::vector<std::string> include_folders(const std::vector<const ProgramText*>& programs);

/// `#define NAME value` in host code, nearest to `near` first.
std::optional<Define> host_macro(const Files& application, const std::string& name, const std::string& near);
/// -DNAME=VALUE or #define NAME VALUE inside a string of host code.
std::optional<Define> define_in_strings(const Files& application, const std::string& name);
std::optional<Define> build_file_define(const std::vector<BuildDefine>& all, const std::string& name,
                                        const std::string& near);
/// A guess: a type is float, a size is the work-group's when that is known, else 16.
Define define_by_use(const MissingName& missing, const std::string& text, const std::vector<std::int64_t>& local);

}  // namespace hone::source
