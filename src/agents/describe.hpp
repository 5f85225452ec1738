#pragma once
// What a model is told, section by section: values of core/ as Markdown. Never a key, a path or a held-out workload:
// the context has none of these.

#include <string>

#include "core/proposer.hpp"

namespace hone::agents {

/// Each argument with the buffer it gets, its extent, contents and access; scalars with their values; launches; what
/// sizes may be.
std::string describe_contract(const Mep& mep, const PatchLimits& limits);
/// How far outputs may differ.
std::string describe_agreement(const Mep& mep);
std::string describe_device(const DeviceInfo& device, const Briefing& briefing);
std::string describe_profile(const Profile& profile);
/// Numbered from 1.
std::string describe_suggestions(const std::vector<Suggestion>& suggestions);
inline constexpr std::size_t most_patterns = 5;
/// At most `most_patterns`, numbered as replies cite them; their code only `with_code`.
std::string describe_patterns(const std::vector<Pattern>& patterns, bool with_code);
/// The latest `most`, the fastest among them in any case; times beside K(0)'s.
std::string describe_tried(const std::vector<Attempt>& tried, Nanoseconds original, std::size_t most);
/// The first `most` with manifest, launch, configuration and time.
std::string describe_parents(const RoundContext& context, std::size_t most);
/// One line per rule a schedule may use.
std::string describe_rules(const RuleForms& rules);
std::string describe_lines(const std::vector<std::string>& lines, const std::string& when_empty);
/// "opencl" as the info of a fence.
std::string fence_name(Language language);
/// "12.500 ms"
std::string milliseconds(Nanoseconds time);

}  // namespace hone::agents
