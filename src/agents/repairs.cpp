#include "agents/repairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.hpp"

namespace hone::agents {

std::optional<std::string> dropped_idea(const std::set<std::string>& before, const std::set<std::string>& after) {
  std::vector<std::string> gone;
  std::ranges::set_difference(before, after, std::back_inserter(gone));
  if (gone.empty() || 2 * gone.size() <= before.size()) return std::nullopt;
  return join(gone, ", ");
}

std::vector<std::string> in_words(const std::map<std::string, RepairCount>& repairs) {
  std::vector<std::string> out;
  for (const auto& [kind, count] : repairs)
    out.push_back(fmt::format("repairs of {}: {} asked for, {} answered, {} kept the idea, {} dropped it", kind,
                              count.asked, count.answered, count.kept, count.dropped));
  return out;
}

}  // namespace hone::agents
