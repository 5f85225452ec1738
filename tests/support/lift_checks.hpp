#pragma once
// What every lift promises, as checks that say what broke. Used on generated kernels and on those of real applications.

#include <cstddef>
#include <string>
#include <vector>

#include "ir/lifter.hpp"

namespace hone::testing {

/// print(lift(s)) == s, and lift(force_print(t)) == t. Empty when both hold, else what differs.
std::string unfaithful(const ir::Lifter& lifter, const ir::Unit& unit, const std::string& text,
                       const ir::LiftOptions& options);

/// Replaces every `stride`-th node by a fresh copy, one at a time: only the bytes of the nearest owning node may
/// change.
std::string leaks(const ir::Unit& unit, const std::string& text, std::size_t stride = 1);

struct Share {
  std::size_t statements = 0, verbatim = 0;
};
/// Statements of functions, and how many of them were not understood. One Verbatim counts for each line it has.
Share verbatim_share(const ir::Unit& unit);

}  // namespace hone::testing
