#pragma once
// Which files of a tree may end up in one program: those that include each other, and those that use what another one
// defines. In doubt two files belong together. A launch can only get kernels that its own program makes, so that a tree
// of many programs need not be followed through all of them.

#include <map>

#include "patch/host_index.hpp"

namespace hone::patch {

/// Every host file's program, as a number.
std::map<const HostFile*, std::size_t> programs_of(const HostIndex& index);

}  // namespace hone::patch
