#include "core/sized_options.hpp"

#include <algorithm>

namespace hone {
namespace {

/// The number in place of "{n}"; nothing when that is no expression over the scalars.
std::optional<std::string> number_of(const std::string& braced, const std::map<std::string, Value>& scalars) {
  const auto parsed = Expression::parse(braced);
  if (!parsed) return std::nullopt;
  const auto names = parsed->names();
  const bool over_scalars =
      !names.empty() && std::ranges::all_of(names, [&](const std::string& name) { return scalars.contains(name); });
  if (!over_scalars) return std::nullopt;
  const auto value = parsed->evaluate_integer(environment_of(scalars));
  return value ? std::optional(std::to_string(*value)) : std::nullopt;
}

}  // namespace

std::string sized_define(const std::string& name, const Expression& value) {
  return "-D" + name + "={" + value.print() + "}";
}

std::vector<std::string> options_at(std::vector<std::string> options, const std::map<std::string, Value>& scalars) {
  for (auto& option : options) {
    const auto open = option.find("={");
    if (!option.starts_with("-D") || open == std::string::npos || !option.ends_with("}")) continue;
    const auto number = number_of(option.substr(open + 2, option.size() - open - 3), scalars);
    if (number) option = option.substr(0, open + 1) + *number;
  }
  return options;
}

Variant at_sizes(Variant variant, const Workload& workload) {
  variant.options = options_at(std::move(variant.options), workload.scalars);
  return variant;
}

bool builds_differ(const std::vector<std::string>& options, const Mep& mep) {
  return std::ranges::any_of(
      mep.workloads, [&](const Workload& workload) { return options_at(options, workload.scalars) != options; });
}

std::vector<std::string> options_at_tune(const Mep& mep) {
  const auto* tune = find_workload(mep, Role::Tune);
  return tune == nullptr ? mep.options : options_at(mep.options, tune->scalars);
}

}  // namespace hone
