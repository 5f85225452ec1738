#pragma once
// OpenCL's own C++ bindings, copied into a tree. Known by what they define: applications call headers of theirs so too.

#include <string_view>

namespace hone {

/// Whether a file may be the bindings, by its name alone.
bool is_named_like_bindings(std::string_view path);
bool is_opencl_bindings(std::string_view path, std::string_view text);

}  // namespace hone
