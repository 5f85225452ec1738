#pragma once
// A Schedule: steps of Hone's rewriting rules, in the order they are done. As text a step is one line, the rule's word
// and its arguments; text stands in template.toml, in prompts and in reports, everywhere else a step is a value. Which
// rules there are is said by a table of RuleForms that rules/ owns; whoever reads, prints or explains steps is given
// it.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "core/space.hpp"

namespace hone {

struct Step {
  std::string rule;  // the word the line starts with
  std::vector<std::string>
      arguments;  // a dimension, a loop, a kernel; a number, or a parameter's name where one may be
  bool operator==(const Step&) const = default;
};
using Schedule = std::vector<Step>;

/// The words of a line. Whether there is such a rule is for `check_step` to say.
Step step_from_text(std::string_view line);
/// Empty lines are left out.
Schedule schedule_from_lines(const std::vector<std::string>& lines);
std::string print(const Step& step);
std::vector<std::string> lines_of(const Schedule& schedule);

enum class ArgumentKind { Kernel, Dimension, Loop, Count };
struct RuleArgument {
  ArgumentKind kind = ArgumentKind::Count;
  std::string_view name;  // as the usage shows it: WIDTH
  bool optional = false;
};

/// How a rule is written and what it is in words.
struct RuleForm {
  std::string_view word;
  std::vector<RuleArgument> takes;
  std::string_view meaning;  // half a sentence over the names of its arguments, for prompts and documents
  std::string_view
      in_words;  // of one step, for reports: {WIDTH} is an argument, {*} all counts; empty: not worth a word
  bool nothing_at_one = false;  // with a count of 1 the step changes nothing
};
using RuleForms = std::vector<RuleForm>;

/// "workgroup X [Y] [Z]".
std::string usage_of(const RuleForm& form);
const RuleForm* find_form(const RuleForms& forms, std::string_view word);
/// E-STEP names the line and what it should have been.
Status check_step(const Step& step, const RuleForms& forms);
/// One sentence per step, with the values of the configuration in it. Steps that do nothing at this configuration are
/// left out; a step of an unknown rule is quoted.
std::vector<std::string> in_words(const Schedule& schedule, const Configuration& configuration, const RuleForms& forms);

}  // namespace hone
