#include "agents/prompts.hpp"

#include <fmt/format.h>

#include "agents/describe.hpp"
#include "agents/prompt_text.hpp"
#include "base/text.hpp"
#include "core/format.hpp"
#include "embedded/hone_agents.hpp"

namespace hone::agents {
namespace {

std::string written_name(Language language) {
  if (language == Language::OpenCL) return "OpenCL C";
  return language == Language::Cuda ? "CUDA" : "HIP";
}

std::string device_kind(const DeviceInfo& device) {
  if (device.kind == "cpu") return "a processor (CPU): no GPU runs this kernel";
  return device.kind == "gpu" ? "a GPU" : "an accelerator";
}

std::string trimmed(std::string_view text) { return std::string(trim(text)); }

/// A failure's text, long compiler logs cut in the middle: errors come first, the summary last.
std::string cut_log(const std::string& text) {
  constexpr std::size_t most = 4000;
  if (text.size() <= most) return text;
  return text.substr(0, most * 3 / 4) + "\n...\n" + text.substr(text.size() - most / 4);
}

std::string direction_text(const Direction& direction) {
  std::string out;
  if (!direction.action.empty()) out += "Your direction: " + one_line(direction.action) + ". ";
  if (!direction.base.empty()) out += "Base: " + one_line(direction.base) + ". ";
  if (direction.predicted_ms > 0) out += fmt::format("The time aimed at: {:.3f} ms. ", direction.predicted_ms);
  if (!direction.siblings.empty()) {
    std::vector<std::string> others;
    for (const auto& sibling : direction.siblings) others.push_back("`" + one_line(sibling, 200) + "`");
    out += "Others of this round do " + join(others, ", ") + "; do something else. ";
  }
  return out.empty() ? out : out.substr(0, out.size() - 1);
}

/// How much of the volatile part is shown; each step gives up what is worth least.
struct Share {
  bool pattern_code;
  std::size_t attempts, parents;
};
constexpr Share shares[] = {{true, 16, 3}, {false, 16, 3}, {false, 16, 1}, {false, 6, 1}, {false, 3, 0}};

std::string generation_part(const RoundContext& context, const Direction& direction, const Share& share) {
  return fill_in(embedded::prompts_generate_md,
                 {{"parents", describe_parents(context, share.parents)},
                  {"profile", describe_profile(context.profile)},
                  {"original_time", milliseconds(context.original_time)},
                  {"tried", describe_tried(context.tried, context.original_time, share.attempts)},
                  {"suggestions", describe_suggestions(context.suggestions)},
                  {"patterns", describe_patterns(context.patterns, share.pattern_code)},
                  {"candidate", std::to_string(context.slot)},
                  {"candidates", std::to_string(context.slots)},
                  {"round", std::to_string(context.round)},
                  {"left", context.budget_left.empty() ? "not known" : context.budget_left},
                  {"direction", direction_text(direction)}});
}

}  // namespace

std::string example_source_reply(Language language) {
  const auto kernel =
      language == Language::OpenCL ? embedded::prompts_example_kernel_cl : embedded::prompts_example_kernel_cu;
  return trimmed(
      fill_in(embedded::prompts_example_source_md, {{"fence", fence_name(language)},
                                                    {"example_kernel", trimmed(kernel)},
                                                    {"extension", std::string(source_extension(language))}}));
}

std::string example_schedule_reply() { return trimmed(embedded::prompts_example_schedule_md); }

std::string prompt_versions() {
  return fmt::format("task {}, forms {}, kernel {}, generate {}, repair {}, format {}, plan {}",
                     prompt_version(embedded::prompts_task_md), prompt_version(embedded::prompts_forms_md),
                     prompt_version(embedded::prompts_kernel_md), prompt_version(embedded::prompts_generate_md),
                     prompt_version(embedded::prompts_repair_md), prompt_version(embedded::prompts_format_md),
                     prompt_version(embedded::prompts_plan_md));
}

std::string stable_prompt(const RoundContext& context, const RuleForms& rules) {
  const auto& mep = context.mep;
  const bool may_choose_options = !context.limits.applies;
  return fill_in(embedded::prompts_task_md, {{"language", written_name(mep.language)},
                                             {"device_kind", device_kind(context.device)},
                                             {"agreement", describe_agreement(mep)}}) +
         "\n" +
         fill_in(embedded::prompts_forms_md,
                 {{"example_source", example_source_reply(mep.language)},
                  {"example_schedule", example_schedule_reply()},
                  {"rules", describe_rules(rules)},
                  {"options_limit",
                   may_choose_options ? "" : "; here none but those the application builds with can be had"}}) +
         "\n" +
         fill_in(embedded::prompts_kernel_md,
                 {{"source", fenced(numbered_lines(mep.source), fence_name(mep.language))},
                  {"contract", describe_contract(mep, context.limits)},
                  {"device", describe_device(context.device, context.briefing)},
                  {"loops", describe_lines(context.briefing.loops, "No loops are known.")},
                  {"moves", describe_lines(context.briefing.moves, "Nothing is known of what the rules may do.")}});
}

std::string generation_prompt(const RoundContext& context, const Direction& direction, const RuleForms& rules) {
  const auto stable = stable_prompt(context, rules) + "\n";
  std::string part;
  for (const auto& share : shares) {
    part = generation_part(context, direction, share);
    if (stable.size() + part.size() <= largest_prompt) break;
  }
  return stable + part;
}

std::string repair_prompt(const RoundContext& context, const Fault& fault, const std::vector<std::string>& history,
                          const RuleForms& rules) {
  const std::string fence = fence_name(context.mep.language);
  const std::string defence = defence_of(fault.verdict);
  return stable_prompt(context, rules) + "\n" +
         fill_in(
             embedded::prompts_repair_md,
             {{"verdict", fmt::format("{}{}", name_of(fault.verdict), defence.empty() ? "" : " (" + defence + ")")},
              {"idea", fault.proposed.rationale.empty() ? "`" + one_line(fault.proposed.name) + "`"
                                                        : one_line(fault.proposed.rationale)},
              {"original_time", milliseconds(context.original_time)},
              {"tried", describe_tried(context.tried, context.original_time, 8)},
              {"reason", fenced(cut_log(trimmed(reason_of(fault.verdict))), "")},
              {"template", fault.proposed.source.empty() ? "A schedule:" : fenced(fault.proposed.source, fence)},
              {"manifest", fenced(to_toml(fault.proposed), "toml")},
              {"configuration", fault.configuration.empty() ? "no parameters" : one_line(print(fault.configuration))},
              {"variant", fault.source == fault.proposed.source || fault.source.empty()
                              ? "the template as it is."
                              : fenced(numbered_lines(fault.source), fence)},
              {"history",
               history.empty() ? "" : "Repairs of it before this one failed too:\n\n" + describe_lines(history, "")}});
}

std::string format_prompt(const std::string& asked, const std::string& answer, const std::string& error) {
  return fill_in(embedded::prompts_format_md, {{"error", without_controls(error.substr(0, 2000))},
                                               {"answer", fenced(cut_log(trimmed(answer)), "")},
                                               {"prompt", asked}});
}

std::string planning_prompt(const RoundContext& context, const RuleForms& rules) {
  return fill_in(embedded::prompts_plan_md, {{"stable", stable_prompt(context, rules)},
                                             {"parents", describe_parents(context, 3)},
                                             {"profile", describe_profile(context.profile)},
                                             {"suggestions", describe_suggestions(context.suggestions)},
                                             {"tried", describe_tried(context.tried, context.original_time, 16)},
                                             {"candidates", std::to_string(context.slots)}});
}

}  // namespace hone::agents
