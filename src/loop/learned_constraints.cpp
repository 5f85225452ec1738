#include "loop/learned_constraints.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace hone::loop {
namespace {

constexpr std::size_t least_failed = 3, least_worked = 2, most_named = 16;

std::optional<double> number_of(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

struct Split {
  std::vector<Configuration> failed, worked;
};

Split split_of(const std::vector<search::Told>& told) {
  Split out;
  for (const auto& one : told) {
    auto& side = one.outcome.kind == search::Outcome::Kind::Failed ? out.failed : out.worked;
    if (std::ranges::find(side, one.configuration) == side.end()) side.push_back(one.configuration);
  }
  // What failed once and worked another time is no matter of the point.
  std::erase_if(out.failed,
                [&](const Configuration& c) { return std::ranges::find(out.worked, c) != out.worked.end(); });
  return out;
}

std::optional<FailingRange> range_of(const Parameter& parameter, const Split& split) {
  const auto value_in = [&](const Configuration& c) { return number_of(c.at(parameter.name)); };
  const auto by_value = [&](const Configuration& a, const Configuration& b) { return *value_in(a) < *value_in(b); };
  const auto numbers = [&](const std::vector<Configuration>& all) {
    return std::ranges::all_of(all, [&](const Configuration& c) { return c.contains(parameter.name) && value_in(c); });
  };
  if (!numbers(split.failed) || !numbers(split.worked)) return std::nullopt;
  const auto [low_failed, high_failed] = std::ranges::minmax_element(split.failed, by_value);
  const auto [low_worked, high_worked] = std::ranges::minmax_element(split.worked, by_value);
  if (by_value(*high_worked, *low_failed)) return FailingRange{parameter.name, low_failed->at(parameter.name), true};
  if (by_value(*high_failed, *low_worked)) return FailingRange{parameter.name, high_failed->at(parameter.name), false};
  return std::nullopt;
}

std::string point_text(const Configuration& configuration) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : configuration) parts.push_back(name + " == " + print(value));
  return "not (" + join(parts, " and ") + ")";
}

}  // namespace

bool FailingRange::holds(const Configuration& configuration) const {
  const auto found = configuration.find(parameter);
  const auto here = found == configuration.end() ? std::nullopt : number_of(found->second);
  const auto bound = number_of(value);
  return here && bound && (above ? *here >= *bound : *here <= *bound);
}

std::optional<FailingRange> failing_range(const Space& space, const std::vector<search::Told>& told) {
  const auto split = split_of(told);
  if (split.failed.size() < least_failed || split.worked.size() < least_worked) return std::nullopt;
  std::optional<FailingRange> found;
  for (const auto& parameter : space.parameters) {
    auto range = range_of(parameter, split);
    if (range && found) return std::nullopt;
    if (range) found = std::move(range);
  }
  return found;
}

std::vector<Constraint> learned_constraints(const Space& space, const std::vector<search::Told>& told) {
  std::vector<std::string> conditions;
  if (const auto range = failing_range(space, told)) {
    conditions.push_back(fmt::format("{} {} {}", range->parameter, range->above ? "<" : ">", print(range->value)));
  } else if (const auto split = split_of(told); !split.worked.empty()) {
    for (const auto& point : split.failed)
      if (conditions.size() < most_named && !point.empty()) conditions.push_back(point_text(point));
  }
  std::vector<Constraint> out;
  // A template may have some from a search before this one.
  auto number = static_cast<std::size_t>(std::ranges::count_if(space.constraints, is_learned));
  for (const auto& text : conditions)
    if (auto condition = Expression::parse(text))
      out.push_back({fmt::format("fails_{}", ++number), std::move(*condition)});
  return out;
}

}  // namespace hone::loop
