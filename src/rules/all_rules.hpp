#pragma once
// The table of rules.

#include "rules/rule.hpp"

namespace hone::rules {

const std::vector<const Rule*>& all_rules();
/// Null when there is none of that word.
const Rule* find_rule(std::string_view word);
/// How each rule is written and what it is in words: for parsers, prompts, reports and documents.
const RuleForms& rule_forms();

}  // namespace hone::rules
