#pragma once
// What a model answered. In: its text, with prose, fences of any taste and missing pieces. Out: Templates, or an
// E-REPLY that says precisely what is missing, so that it can be sent back. Nothing here runs or trusts anything.

#include <string>
#include <vector>

#include "base/result.hpp"
#include "core/mep.hpp"
#include "core/template.hpp"

namespace hone::agents {

struct FencedBlock {
  std::string info;   // the words after the fence, in lower case
  std::string above;  // the last line before it: often a file's name
  std::string text;   // with "\n" line ends
};
/// In order. A fence that is never closed ends with the text. A model's <think> part is left out.
std::vector<FencedBlock> fenced_blocks(const std::string& reply);

/// At least one. A source must define every kernel of the Mep; `fallback_name` is for templates that give none.
Result<std::vector<Template>> templates_in(const std::string& reply, const Mep& mep, const std::string& fallback_name,
                                           const RuleForms& rules = {});

/// Numbers of the suggestions to follow, best first, each in 1..count and once.
Result<std::vector<std::size_t>> plan_in(const std::string& reply, std::size_t count);

}  // namespace hone::agents
