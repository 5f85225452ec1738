#include "agents/describe.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "agents/prompt_text.hpp"
#include "base/text.hpp"
#include "core/launch_walk.hpp"

namespace hone::agents {
namespace {

std::string list(const std::vector<std::string>& lines, const std::string& when_empty) {
  return lines.empty() ? when_empty : "- " + join(lines, "\n- ");
}

std::string_view access_word(Access access) {
  switch (access) {
    case Access::Read: return "read";
    case Access::Write: return "written";
    case Access::ReadWrite: break;
  }
  return "read and written";
}

std::string argument_text(const ArgumentSpec& argument) {
  switch (argument.kind) {
    case ArgumentSpec::Kind::Buffer:
      return fmt::format("`{}`: buffer of {}, {}", argument.name, argument.type, access_word(argument.access));
    case ArgumentSpec::Kind::Scalar: return fmt::format("`{}`: {}", argument.name, argument.type);
    case ArgumentSpec::Kind::Local: return fmt::format("`{}`: local memory of {}", argument.name, argument.type);
    case ArgumentSpec::Kind::Image: return fmt::format("`{}`: image, {}", argument.name, access_word(argument.access));
    case ArgumentSpec::Kind::Sampler: return fmt::format("`{}`: sampler", argument.name);
    case ArgumentSpec::Kind::Struct: break;
  }
  return fmt::format("`{}`: struct {}", argument.name, argument.type);
}

std::string sizes(const std::vector<Expression>& expressions) {
  std::vector<std::string> parts;
  parts.reserve(expressions.size());
  for (const auto& expression : expressions) parts.push_back(expression.print());
  return "(" + join(parts, ", ") + ")";
}

std::vector<std::string> launch_lines(const std::vector<LaunchStep>& steps) {
  std::vector<std::string> lines;
  each_launch(steps, [&](const Launch& launch, const std::vector<const LaunchLoop*>& loops) {
    std::string around;
    for (const auto* loop : loops)
      around += fmt::format("for {} in {}..{}: ", loop->variable, loop->begin.print(), loop->end.print());
    lines.push_back(fmt::format("{}`{}` with global {}, local {}", around, launch.kernel, sizes(launch.global),
                                launch.local.empty() ? "chosen by the runtime" : sizes(launch.local)));
  });
  return lines;
}

std::string workload_text(const Workload& workload) {
  std::vector<std::string> scalars;
  scalars.reserve(workload.scalars.size());
  for (const auto& [name, value] : workload.scalars) scalars.push_back(name + " = " + print(value));
  const auto launches = launch_lines(workload.launches);
  return fmt::format("{} workload ({}): {}", name_of(workload.role), join(scalars, ", "), join(launches, "; "));
}

std::string pattern_text(const Pattern& pattern) {
  std::string out = fmt::format("{}: {:.2f}x ({:.2f} to {:.2f}) on {}", pattern.change, pattern.ratio, pattern.low,
                                pattern.high, pattern.device);
  if (!pattern.code.empty()) out += ", code like: " + pattern.code;
  if (!pattern.configuration.empty()) out += ", with " + print(pattern.configuration);
  return out;
}

std::string attempt_text(const Attempt& attempt) {
  std::string out = fmt::format("round {}, {}: {}", attempt.round, attempt.template_name, attempt.fate);
  if (attempt.speedup > 0) out += fmt::format(" ({:.2f}x)", attempt.speedup);
  if (!attempt.schedule.empty()) out += fmt::format(" [{}]", join(lines_of(attempt.schedule), "; "));
  if (!attempt.rationale.empty()) out += ". " + attempt.rationale;
  if (!attempt.reason.empty()) out += ". " + attempt.reason.substr(0, 400);
  return out;
}

}  // namespace

std::string fence_name(Language language) {
  if (language == Language::OpenCL) return "opencl";
  return language == Language::Cuda ? "cuda" : "hip";
}

std::string describe_contract(const Mep& mep) {
  std::vector<std::string> lines;
  for (const auto& kernel : mep.kernels) {
    std::vector<std::string> arguments;
    arguments.reserve(kernel.arguments.size());
    for (const auto& argument : kernel.arguments) arguments.push_back(argument_text(argument));
    lines.push_back(fmt::format("`{}` takes {}", kernel.name, join(arguments, "; ")));
  }
  for (const auto& buffer : mep.buffers)
    lines.push_back(
        fmt::format("buffer `{}` holds {} elements of {}", buffer.name, buffer.extent.print(), buffer.type));
  for (const auto& workload : mep.workloads)
    if (workload.role != Role::HeldOut) lines.push_back(workload_text(workload));
  for (const auto& condition : mep.contract) lines.push_back("always true: " + condition.print());
  if (mep.contract.empty()) lines.emplace_back("sizes may be anything");
  if (!mep.options.empty()) lines.push_back("built with " + join(mep.options, " "));
  return list(lines, "");
}

std::string describe_device(const DeviceInfo& device) {
  std::vector<std::string> lines = {fmt::format("{} ({})", device.name, device.kind)};
  for (const auto& [name, value] : device.facts)
    lines.push_back(fmt::format("device.{} = {}", name.starts_with("device.") ? name.substr(7) : name, print(value)));
  return list(lines, "");
}

std::string describe_profile(const Profile& profile) {
  std::vector<std::string> lines;
  if (profile.time.count() > 0) lines.push_back(fmt::format("time: {:.3f} ms", profile.time.count() / 1e6));
  for (const auto& [name, value] : profile.numbers) lines.push_back(fmt::format("{}: {:.4g}", name, value));
  for (const auto& pattern : profile.access_patterns) lines.push_back(pattern);
  return list(lines, "Nothing yet.");
}

std::string describe_suggestions(const std::vector<Suggestion>& suggestions) {
  if (suggestions.empty()) return "None.";
  std::string out;
  for (std::size_t i = 0; i < suggestions.size(); ++i) {
    const auto& one = suggestions[i];
    out += fmt::format("{}{}. {} ({}): {}", i == 0 ? "" : "\n", i + 1, one.sentence, name_of(one.kind), one.target);
    if (!one.evidence.empty()) out += fmt::format(". Evidence: {}", one.evidence);
  }
  return out;
}

std::string describe_patterns(const std::vector<Pattern>& patterns) {
  std::vector<std::string> lines;
  lines.reserve(patterns.size());
  for (const auto& pattern : patterns) lines.push_back(pattern_text(pattern));
  return list(lines, "Nothing is recorded for such code yet.");
}

std::string describe_tried(const std::vector<Attempt>& tried) {
  std::vector<std::string> lines;
  lines.reserve(tried.size());
  for (const auto& attempt : tried) lines.push_back(attempt_text(attempt));
  return list(lines, "Nothing yet.");
}

std::string describe_rules(const RuleForms& rules) {
  std::vector<std::string> lines;
  lines.reserve(rules.size());
  for (const auto& form : rules) lines.push_back(fmt::format("`{}`: {}", usage_of(form), form.meaning));
  return list(lines, "None.");
}

std::string describe_incumbent(const Incumbent& incumbent) {
  if (incumbent.template_name.empty()) return {};
  std::string out = fmt::format("## The fastest so far ({:.2f}x, {})\n\n", incumbent.speedup, incumbent.template_name);
  if (!incumbent.schedule.empty()) out += fmt::format("Schedule: {}\n\n", join(lines_of(incumbent.schedule), "; "));
  if (!incumbent.configuration.empty()) out += fmt::format("Parameters: {}\n\n", print(incumbent.configuration));
  return out + fenced(incumbent.variant.source, fence_name(incumbent.variant.language)) + "\n\n";
}

}  // namespace hone::agents
