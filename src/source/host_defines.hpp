#pragma once
// Macros a host program gives to its kernels: -DNAME=VALUE inside build options, however they are put together. In:
// host code. Out: each with the value it would have, by the numbers the program starts from; marked as inferred.

#include "core/extraction.hpp"
#include "source/host_code.hpp"

namespace hone::source::host {

/// From -D options. A value that is computed at run time is empty.
std::vector<Define> build_defines(const HostCode& code);
/// `#define NAME value` in host files: the second-best guess for a macro that kernels miss.
std::optional<Define> macro_define(const HostCode& code, const std::string& name);

}  // namespace hone::source::host
