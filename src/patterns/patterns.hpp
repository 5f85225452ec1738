#pragma once
// Wins become Patterns, and Patterns become hints for the next kernel. Pure: what is stored and read is store/'s.

#include <map>
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

/// How often somebody said to follow it, and how often that was faster.
struct PatternUse {
  std::size_t cited = 0, hits = 0;
  /// 1 while nobody followed it; more where it keeps its promise, less where it misleads.
  double trust() const { return (1 + 2 * static_cast<double>(hits)) / (1 + static_cast<double>(cited)); }
  bool operator==(const PatternUse&) const = default;
};
/// By the trial that proves the pattern.
using PatternUses = std::map<std::string, PatternUse>;

/// The most useful first: like code counts most, then the same device, then what was surely gained; all of it as much
/// as it is trusted. One per change.
std::vector<Pattern> ranked(const std::vector<Pattern>& patterns, const Mep& mep, const DeviceInfo& device,
                            std::size_t most, const PatternUses& uses = {});

}  // namespace hone::patterns
