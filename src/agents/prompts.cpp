#include "agents/prompts.hpp"

#include <fmt/format.h>

#include "agents/describe.hpp"
#include "agents/prompt_text.hpp"
#include "base/text.hpp"
#include "core/format.hpp"
#include "core/launch_walk.hpp"
#include "embedded/hone_agents.hpp"

namespace hone::agents {
namespace {

std::string written_name(Language language) {
  if (language == Language::OpenCL) return "OpenCL C";
  return language == Language::Cuda ? "CUDA" : "HIP";
}

std::string trimmed(std::string_view text) { return std::string(trim(text)); }

/// Dimensions of the first launch of the kernel, through loops.
std::size_t dimensions_of(const std::vector<LaunchStep>& steps, const std::string& kernel) {
  std::size_t found = 0;
  each_launch(steps, [&](const Launch& launch) {
    if (found == 0 && launch.kernel == kernel) found = launch.global.size();
  });
  return found;
}

/// A failure's text, long compiler logs cut in the middle: errors come first, the summary last.
std::string cut(const std::string& text) {
  constexpr std::size_t most = 4000;
  if (text.size() <= most) return text;
  return text.substr(0, most * 3 / 4) + "\n...\n" + text.substr(text.size() - most / 4);
}

}  // namespace

std::string generation_prompt(const RoundContext& context, std::size_t candidate,
                              const std::vector<std::string>& others, const RuleForms& rules) {
  const auto& mep = context.mep;
  const std::string kernel = mep.kernels.empty() ? mep.name : mep.kernels.front().name;
  std::size_t dimensions = 0;
  for (const auto& workload : mep.workloads)
    if (dimensions == 0) dimensions = dimensions_of(workload.launches, kernel);
  std::vector<std::string> global;
  std::vector<std::string> local;
  for (std::size_t i = 0; i < std::max<std::size_t>(dimensions, 1); ++i) {
    global.push_back(i == 0 ? "\"ceil_div(launch.global[0], TI)\"" : fmt::format("\"launch.global[{}]\"", i));
    local.push_back(fmt::format("\"WG_{}\"", "XYZ"[i]));
  }
  return fill_in(embedded::prompts_generate_md,
                 {{"language", written_name(mep.language)},
                  {"source", fenced(mep.source, fence_name(mep.language))},
                  {"incumbent", describe_incumbent(context.incumbent)},
                  {"contract", describe_contract(mep)},
                  {"device", describe_device(context.device)},
                  {"profile", describe_profile(context.profile)},
                  {"suggestions", describe_suggestions(context.suggestions)},
                  {"patterns", describe_patterns(context.patterns)},
                  {"tried", describe_tried(context.tried)},
                  {"candidate", std::to_string(candidate)},
                  {"candidates", std::to_string(context.limit)},
                  {"round", std::to_string(context.round)},
                  {"others", others.empty() ? "" : "; do something else than " + join(others, ", ")},
                  {"rules", describe_rules(rules)},
                  {"fence", fence_name(mep.language)},
                  {"extension", std::string(source_extension(mep.language))},
                  {"kernel", kernel},
                  {"example_global", join(global, ", ")},
                  {"example_local", join(local, ", ")}});
}

std::string repair_prompt(const RoundContext& context, const Fault& fault) {
  const auto& mep = context.mep;
  const std::string fence = fence_name(mep.language);
  const std::string defence = defence_of(fault.verdict);
  return fill_in(
      embedded::prompts_repair_md,
      {{"language", written_name(mep.language)},
       {"verdict", fmt::format("{}{}", name_of(fault.verdict), defence.empty() ? "" : " (" + defence + ")")},
       {"reason", fenced(cut(trimmed(reason_of(fault.verdict))), "")},
       {"template", fault.proposed.source.empty() ? "A schedule:" : fenced(fault.proposed.source, fence)},
       {"manifest", fenced(to_toml(fault.proposed), "toml")},
       {"configuration", fault.configuration.empty() ? "none" : print(fault.configuration)},
       {"variant", fault.source == fault.proposed.source ? "The template as it is." : fenced(fault.source, fence)},
       {"source", fenced(mep.source, fence)},
       {"contract", describe_contract(mep)}});
}

std::string format_prompt(const std::string& asked, const Error& error, Language language) {
  return fill_in(embedded::prompts_format_md,
                 {{"error", error.message()}, {"fence", fence_name(language)}, {"prompt", asked}});
}

std::string planning_prompt(const RoundContext& context) {
  return fill_in(embedded::prompts_plan_md,
                 {{"language", written_name(context.mep.language)},
                  {"source", fenced(context.incumbent.variant.source.empty() ? context.mep.source
                                                                             : context.incumbent.variant.source,
                                    fence_name(context.mep.language))},
                  {"device", describe_device(context.device)},
                  {"profile", describe_profile(context.profile)},
                  {"suggestions", describe_suggestions(context.suggestions)},
                  {"tried", describe_tried(context.tried)}});
}

}  // namespace hone::agents
