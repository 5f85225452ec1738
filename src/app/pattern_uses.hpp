#pragma once
// Which patterns answers said they follow, and what came of it: a small file in the state folder, so that a pattern
// gains or loses weight over runs.

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "agents/model_proposer.hpp"
#include "base/result.hpp"
#include "core/proposer.hpp"
#include "patterns/patterns.hpp"

namespace hone::app {

nlohmann::json to_json(const patterns::PatternUses& uses);
/// What cannot be read counts as nothing known.
patterns::PatternUses pattern_uses_from(const nlohmann::json& json);

/// `before` with what a run added: a hit where the template that follows the pattern, or its repair, was proven faster.
patterns::PatternUses with_citations(patterns::PatternUses before, const std::vector<agents::Citation>& citations,
                                     const std::vector<Attempt>& attempts);

patterns::PatternUses load_pattern_uses();
Status save_pattern_uses(const patterns::PatternUses& uses);

}  // namespace hone::app
