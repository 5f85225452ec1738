#include "core/schedule.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace hone {
namespace {

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

std::string value_text(const std::string& argument, const Configuration& configuration) {
  const auto found = configuration.find(argument);
  return found == configuration.end() ? argument : print(found->second);
}

/// "dimension 0", or the variable that holds the work-item's index.
std::string argument_text(ArgumentKind kind, const std::string& argument) {
  if (kind == ArgumentKind::Count) return argument;
  return kind == ArgumentKind::Dimension && is_number(argument) ? "dimension " + argument : "`" + argument + "`";
}

}  // namespace

Step step_from_text(std::string_view line) {
  Step step;
  std::vector<std::string> words;
  for (const auto& word : split(replace_all(std::string(line), "\t", " "), ' '))
    if (!trim(word).empty()) words.emplace_back(trim(word));
  if (words.empty()) return step;
  step.rule = words.front();
  step.arguments.assign(words.begin() + 1, words.end());
  return step;
}

Schedule schedule_from_lines(const std::vector<std::string>& lines) {
  Schedule out;
  for (const auto& line : lines)
    if (!trim(line).empty()) out.push_back(step_from_text(line));
  return out;
}

std::string print(const Step& step) {
  std::string out = step.rule;
  for (const auto& argument : step.arguments) out += " " + argument;
  return out;
}

std::vector<std::string> lines_of(const Schedule& schedule) {
  std::vector<std::string> out;
  out.reserve(schedule.size());
  for (const auto& step : schedule) out.push_back(print(step));
  return out;
}

std::string usage_of(const RuleForm& form) {
  std::string out(form.word);
  for (const auto& argument : form.takes)
    out += argument.optional ? " [" + std::string(argument.name) + "]" : " " + std::string(argument.name);
  return out;
}

const RuleForm* find_form(const RuleForms& forms, std::string_view word) {
  const auto found = std::find_if(forms.begin(), forms.end(), [&](const RuleForm& f) { return f.word == word; });
  return found == forms.end() ? nullptr : &*found;
}

Status check_step(const Step& step, const RuleForms& forms) {
  if (step.rule.empty()) return fail("E-STEP", "an empty line is no step of a schedule");
  const auto* form = find_form(forms, step.rule);
  if (form == nullptr) {
    std::vector<std::string> known, usages;
    for (const auto& f : forms) {
      known.emplace_back(f.word);
      usages.push_back(usage_of(f));
    }
    const auto close = nearest(step.rule, known);
    return fail(
        "E-STEP",
        "`" + print(step) + "`: there is no rule " + step.rule + (close ? "; did you mean " + *close + "?" : ""),
        "the rules are: " + join(usages, ", "));
  }
  const auto least = std::count_if(form->takes.begin(), form->takes.end(), [](const auto& a) { return !a.optional; });
  if (step.arguments.size() < static_cast<std::size_t>(least) || step.arguments.size() > form->takes.size())
    return fail("E-STEP", "`" + print(step) + "`: expected `" + usage_of(*form) + "`");
  for (std::size_t i = 0; i < step.arguments.size(); ++i) {
    const bool count = form->takes[i].kind == ArgumentKind::Count;
    if (count && !is_number(step.arguments[i]) && !is_identifier(step.arguments[i]))
      return fail("E-STEP", "`" + print(step) + "`: " + step.arguments[i] + " is neither a parameter nor a count");
  }
  return {};
}

std::vector<std::string> in_words(const Schedule& schedule, const Configuration& configuration,
                                  const RuleForms& forms) {
  std::vector<std::string> out;
  for (const auto& step : schedule) {
    const auto* form = find_form(forms, step.rule);
    if (form == nullptr || !check_step(step, forms)) {
      out.push_back("`" + print(step) + "`");
      continue;
    }
    std::string sentence(form->in_words);
    std::vector<std::string> counts;
    for (std::size_t i = 0; i < step.arguments.size(); ++i) {
      const auto kind = form->takes[i].kind;
      const auto value = kind == ArgumentKind::Count ? value_text(step.arguments[i], configuration) : step.arguments[i];
      if (kind == ArgumentKind::Count) counts.push_back(value);
      sentence = replace_all(sentence, "{" + std::string(form->takes[i].name) + "}", argument_text(kind, value));
    }
    const bool idle = form->nothing_at_one &&
                      std::all_of(counts.begin(), counts.end(), [](const std::string& c) { return c == "1"; });
    if (!sentence.empty() && !idle) out.push_back(replace_all(sentence, "{*}", join(counts, " x ")));
  }
  return out;
}

}  // namespace hone
