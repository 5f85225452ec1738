#include "rules/all_rules.hpp"

namespace hone::rules {

extern const Rule kernel_rule, registers_rule, lanes_rule, merge_rule, fold_rule, unroll_rule, workgroup_rule,
    keep_rule, guard_rule;

const std::vector<const Rule*>& all_rules() {
  static const std::vector<const Rule*> rules = {&kernel_rule, &guard_rule,  &registers_rule, &lanes_rule, &merge_rule,
                                                 &fold_rule,   &unroll_rule, &workgroup_rule, &keep_rule};
  return rules;
}

const Rule* find_rule(std::string_view word) {
  for (const auto* rule : all_rules())
    if (rule->form.word == word) return rule;
  return nullptr;
}

const RuleForms& rule_forms() {
  static const RuleForms forms = [] {
    RuleForms out;
    for (const auto* rule : all_rules()) out.push_back(rule->form);
    return out;
  }();
  return forms;
}

}  // namespace hone::rules
