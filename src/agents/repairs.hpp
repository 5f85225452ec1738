#pragma once
// How repairs went, by the kind of fault: asked for, answered, and whether the answer kept the idea of what it mends.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hone::agents {

struct RepairCount {
  std::size_t asked = 0, answered = 0, kept = 0, dropped = 0;
};

/// What a mended template does no longer, when that is more than half of what the one before did; nothing when the idea
/// was kept, or when nothing of it was recognised.
std::optional<std::string> dropped_idea(const std::set<std::string>& before, const std::set<std::string>& after);

/// A sentence for each kind.
std::vector<std::string> in_words(const std::map<std::string, RepairCount>& repairs);

}  // namespace hone::agents
