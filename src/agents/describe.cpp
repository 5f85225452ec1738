#include "agents/describe.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "agents/prompt_text.hpp"
#include "base/text.hpp"
#include "core/format.hpp"

namespace hone::agents {
namespace {

std::string pattern_text(const Pattern& pattern, bool with_code) {
  std::string out = fmt::format("{}: {:.2f}x ({:.2f} to {:.2f}) on {}", one_line(pattern.change), pattern.ratio,
                                pattern.low, pattern.high, one_line(pattern.device));
  if (!pattern.code.empty()) out += ", code like: " + one_line(pattern.code);
  if (!pattern.configuration.empty()) out += ", with " + one_line(print(pattern.configuration));
  constexpr std::size_t most_code = 3000;
  if (with_code && !pattern.source.empty() && pattern.source.size() <= most_code)
    out += "\n\n" + fenced(pattern.source, "") + "\n";
  return out;
}

std::string speed_text(Nanoseconds time, Nanoseconds original) {
  if (time.count() <= 0) return {};
  std::string out = milliseconds(time);
  if (original.count() > 0) out += fmt::format(", {:.2f}x as fast as the original", original / time);
  return out;
}

std::string attempt_text(const Attempt& attempt, Nanoseconds original) {
  std::string out = fmt::format("round {}, `{}`: {}", attempt.round, one_line(attempt.template_name), attempt.fate);
  if (const auto speed = speed_text(attempt.time, original); !speed.empty()) out += fmt::format(" ({})", speed);
  if (!attempt.best.empty()) out += fmt::format(", best with {}", one_line(print(attempt.best)));
  if (!attempt.schedule.empty()) out += fmt::format(" [{}]", one_line(join(lines_of(attempt.schedule), "; ")));
  if (!attempt.rationale.empty()) out += ". " + one_line(attempt.rationale);
  if (!attempt.reason.empty()) out += ". Reason: " + one_line(attempt.reason, 400);
  return out;
}

std::string parent_text(const Parent& parent, Nanoseconds original, std::size_t number) {
  std::string out =
      fmt::format("### {}. `{}`{}: {}\n\n", number, one_line(parent.made_of.name),
                  parent.is_incumbent ? ", the fastest that is proven" : "", speed_text(parent.time, original));
  if (!parent.configuration.empty()) out += fmt::format("Best with {}.\n", one_line(print(parent.configuration)));
  for (const auto& line : parent.learned) out += "- " + without_controls(line) + "\n";
  out += "\n" + fenced(to_toml(parent.made_of), "toml") + "\n";
  if (!parent.made_of.source.empty())
    out += "\n" + fenced(parent.made_of.source, fence_name(parent.made_of.language)) + "\n";
  return out;
}

}  // namespace

std::string milliseconds(Nanoseconds time) { return fmt::format("{:.3f} ms", time.count() / 1e6); }

std::string fence_name(Language language) {
  if (language == Language::OpenCL) return "opencl";
  return language == Language::Cuda ? "cuda" : "hip";
}

std::string describe_lines(const std::vector<std::string>& lines, const std::string& when_empty) {
  std::string out;
  for (const auto& line : lines) out += (out.empty() ? "- " : "\n- ") + without_controls(line);
  return lines.empty() ? when_empty : out;
}

std::string describe_device(const DeviceInfo& device, const Briefing& briefing) {
  std::vector<std::string> lines = {fmt::format("{} ({})", one_line(device.name), device.kind)};
  lines.insert(lines.end(), briefing.device.begin(), briefing.device.end());
  std::vector<std::string> facts;
  for (const auto& [name, value] : device.facts)
    facts.push_back(fmt::format("`device.{}` = {}", name.starts_with("device.") ? name.substr(7) : name, print(value)));
  if (!facts.empty()) lines.push_back("what expressions may ask, as the driver says it: " + join(facts, ", "));
  return describe_lines(lines, "");
}

std::string describe_profile(const Profile& profile) {
  std::vector<std::string> lines;
  // Its time was taken in another way than those of attempts: one number beside the others would mislead.
  for (const auto& [name, value] : profile.numbers) lines.push_back(fmt::format("{}: {:.4g}", name, value));
  for (const auto& pattern : profile.access_patterns) lines.push_back(one_line(pattern));
  return describe_lines(lines, "Nothing yet.");
}

std::string describe_suggestions(const std::vector<Suggestion>& suggestions) {
  constexpr std::size_t most = 8;
  if (suggestions.empty()) return "None.";
  std::string out;
  for (std::size_t i = 0; i < std::min(most, suggestions.size()); ++i) {
    const auto& one = suggestions[i];
    out += fmt::format("{}{}. {} ({}): {}", i == 0 ? "" : "\n", i + 1, without_controls(one.sentence),
                       name_of(one.kind), without_controls(one.target));
    if (!one.evidence.empty()) out += ". Evidence: " + without_controls(one.evidence);
  }
  return out;
}

std::string describe_patterns(const std::vector<Pattern>& patterns, bool with_code) {
  if (patterns.empty()) return "Nothing is recorded for such code yet.";
  std::string out = "Say `pattern N` in your first sentence if you follow one.\n";
  for (std::size_t i = 0; i < std::min(most_patterns, patterns.size()); ++i)
    out += fmt::format("\n{}. {}", i + 1, pattern_text(patterns[i], with_code));
  return out;
}

std::string describe_tried(const std::vector<Attempt>& tried, Nanoseconds original, std::size_t most) {
  std::vector<std::string> lines;
  const auto fastest =
      std::ranges::min_element(tried, {}, [](const Attempt& a) { return a.time.count() > 0 ? a.time.count() : 1e300; });
  const auto first = tried.size() - std::min(most, tried.size());
  if (first > 0) lines.push_back(fmt::format("{} earlier attempts are left out here", first));
  for (std::size_t i = 0; i < tried.size(); ++i)
    if (i >= first || static_cast<std::ptrdiff_t>(i) == fastest - tried.begin())
      lines.push_back(attempt_text(tried[i], original));
  return describe_lines(lines, "Nothing yet.");
}

std::string describe_rules(const RuleForms& rules) {
  std::vector<std::string> lines;
  lines.reserve(rules.size());
  for (const auto& form : rules) lines.push_back(fmt::format("`{}`: {}", usage_of(form), form.meaning));
  return describe_lines(lines, "None.");
}

std::string describe_parents(const RoundContext& context, std::size_t most) {
  std::string out =
      "The original" + (context.original_time.count() > 0 ? ": " + milliseconds(context.original_time) : "") + ".\n";
  for (std::size_t i = 0; i < std::min(most, context.parents.size()); ++i)
    out += "\n" + parent_text(context.parents[i], context.original_time, i + 1);
  // An incumbent that no template is known of (a test, an older log) is shown as it is.
  if (context.parents.empty() && !context.incumbent.template_name.empty())
    out += fmt::format("\n`{}` with {}:\n\n{}\n", one_line(context.incumbent.template_name),
                       one_line(print(context.incumbent.configuration)),
                       fenced(context.incumbent.variant.source, fence_name(context.incumbent.variant.language)));
  return out;
}

}  // namespace hone::agents
