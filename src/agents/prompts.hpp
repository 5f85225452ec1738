#pragma once
// The whole prompts: for a candidate, for mending one, for an answer that could not be read, and for a plan.

#include <string>
#include <vector>

#include "core/proposer.hpp"

namespace hone::agents {

/// `candidate` counts from 1; `others` are names already proposed in this round; `rules` are those a
/// schedule may use.
std::string generation_prompt(const RoundContext& context, std::size_t candidate,
                              const std::vector<std::string>& others, const RuleForms& rules);
std::string repair_prompt(const RoundContext& context, const Fault& fault);
std::string format_prompt(const std::string& asked, const Error& error, Language language);
std::string planning_prompt(const RoundContext& context);

}  // namespace hone::agents
