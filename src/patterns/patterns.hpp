#pragma once
// Wins become Patterns, and Patterns become hints for the next kernel. Pure: what is stored and read is store/'s.

#include <optional>
#include <string>
#include <vector>

#include "core/knowledge.hpp"
#include "core/mep.hpp"
#include "core/proposer.hpp"

namespace hone::patterns {

/// The Pattern of a proven win; nothing when the comparison proves none.
std::optional<Pattern> pattern_of(const Mep& mep, const Incumbent& winner, const Comparison& comparison,
                                  const DeviceInfo& device, const std::string& trial);

/// The most useful first: like code counts most, then the same device, then what was surely gained. One per change.
std::vector<Pattern> ranked(const std::vector<Pattern>& patterns, const Mep& mep, const DeviceInfo& device,
                            std::size_t most);

/// For `hone patterns`: one line each.
std::string describe(const Pattern& pattern);

}  // namespace hone::patterns
