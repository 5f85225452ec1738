#pragma once
// What a model is told, section by section: values of core/ as Markdown. Never a key, a path or a held-out workload:
// the context has none of these.

#include <string>

#include "core/proposer.hpp"

namespace hone::agents {

std::string describe_contract(const Mep& mep);
std::string describe_device(const DeviceInfo& device);
std::string describe_profile(const Profile& profile);
/// Numbered from 1, as planning refers to them.
std::string describe_suggestions(const std::vector<Suggestion>& suggestions);
std::string describe_patterns(const std::vector<Pattern>& patterns);
std::string describe_tried(const std::vector<Attempt>& tried);
/// Empty while the incumbent is K(0).
std::string describe_incumbent(const Incumbent& incumbent);
/// One line per rule a schedule may use.
std::string describe_rules(const RuleForms& rules);
/// "opencl" as the info of a fence.
std::string fence_name(Language language);

}  // namespace hone::agents
