#pragma once
// What a change does, in words a colleague understands.

#include <string>
#include <vector>

#include "core/space.hpp"

namespace hone::report {

/// One sentence per step of a schedule, with the values of the configuration in it. Steps that do nothing at this
/// configuration are left out; a step of an unknown rule is quoted.
std::vector<std::string> in_words(const std::vector<std::string>& schedule, const Configuration& configuration);

}  // namespace hone::report
