// Lines of a schedule as text.

#include <array>

#include "base/text.hpp"
#include "rules/schedule.hpp"

namespace hone::rules {
namespace {

struct Form {
  const char* word;
  Step::Rule rule;
  bool target;
  std::size_t least, most;  // factors
  const char* usage;
};

constexpr std::array<Form, 7> forms = {{
    {"kernel", Step::Rule::Kernel, true, 0, 0, "kernel NAME"},
    {"registers", Step::Rule::Registers, false, 0, 0, "registers"},
    {"lanes", Step::Rule::Lanes, true, 1, 1, "lanes DIMENSION WIDTH"},
    {"merge", Step::Rule::Merge, true, 1, 1, "merge DIMENSION COUNT"},
    {"unroll", Step::Rule::Unroll, true, 1, 1, "unroll LOOP COUNT"},
    {"workgroup", Step::Rule::Workgroup, false, 1, 3, "workgroup X [Y [Z]]"},
    {"keep", Step::Rule::Keep, false, 0, 0, "keep"},
}};

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  for (const auto& word : split(replace_all(line, "\t", " "), ' '))
    if (!trim(word).empty()) words.emplace_back(trim(word));
  return words;
}

const Form* form_of(const std::string& word) {
  for (const auto& form : forms)
    if (word == form.word) return &form;
  return nullptr;
}

}  // namespace

Result<Step> parse_step(const std::string& line) {
  const auto words = words_of(line);
  if (words.empty()) return fail("E-STEP", "an empty line is no step of a schedule");
  const auto* form = form_of(words[0]);
  if (form == nullptr) {
    std::vector<std::string> known;
    for (const auto& f : forms) known.emplace_back(f.word);
    const auto close = nearest(words[0], known);
    return fail("E-STEP",
                "`" + line + "`: there is no rule " + words[0] + (close ? "; did you mean " + *close + "?" : ""));
  }
  const std::size_t first = form->target ? 2 : 1;
  const std::size_t count = words.size() < first ? 0 : words.size() - first;
  if (words.size() < first || count < form->least || count > form->most)
    return fail("E-STEP", "`" + line + "`: expected `" + form->usage + "`");
  Step step;
  step.rule = form->rule;
  if (form->target) step.target = words[1];
  step.factors.assign(words.begin() + static_cast<std::ptrdiff_t>(first), words.end());
  return step;
}

std::string print(const Step& step) {
  std::string out = forms[static_cast<std::size_t>(step.rule)].word;
  if (!step.target.empty()) out += " " + step.target;
  for (const auto& factor : step.factors) out += " " + factor;
  return out;
}

Result<std::vector<Step>> parse_schedule(const std::vector<std::string>& lines) {
  std::vector<Step> steps;
  for (const auto& line : lines) {
    if (trim(line).empty()) continue;
    auto step = parse_step(line);
    if (!step) return fail(std::move(step).error());
    steps.push_back(*std::move(step));
  }
  return steps;
}

}  // namespace hone::rules
