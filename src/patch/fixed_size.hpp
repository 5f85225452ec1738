#pragma once
// Is a size of a launch the same whenever the application launches? A kernel that works in groups may only be rewritten
// for groups of other sizes where these are known for every run, not only for the one that was followed.

#include "patch/host_index.hpp"

namespace hone::patch {

/// Numbers, and names that stand for numbers: macros, constants, variables that are set once, parameters for which
/// every caller gives a fixed value. What is not understood is not fixed.
bool is_fixed(const HostIndex& index, const TokenRange& value);

}  // namespace hone::patch
