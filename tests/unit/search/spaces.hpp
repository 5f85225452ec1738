#pragma once
// Small spaces that several tests use.

#include <initializer_list>
#include <string>

#include "core/space.hpp"

namespace hone::search {

inline Parameter integers(std::string name, std::initializer_list<std::int64_t> values) {
  Parameter parameter{std::move(name), {}, Value(*values.begin())};
  for (const auto value : values) parameter.values.emplace_back(value);
  return parameter;
}

inline Constraint constraint(const std::string& text) { return {text, Expression::parse(text).value()}; }

/// Brute force, by the expressions themselves: what the region must agree with.
template <class Visit>
void each_valid(const Space& space, Visit visit) {
  std::vector<std::size_t> at(space.parameters.size(), 0);
  for (;;) {
    Configuration configuration;
    for (std::size_t i = 0; i < at.size(); ++i) {
      configuration[space.parameters[i].name] = space.parameters[i].values[at[i]];
    }
    bool valid = true;
    for (const auto& c : space.constraints) {
      const auto holds = c.condition.evaluate_condition(environment_of(configuration));
      valid = valid && holds && *holds;
    }
    if (valid) visit(configuration);
    std::size_t i = 0;
    while (i < at.size() && ++at[i] == space.parameters[i].values.size()) at[i++] = 0;
    if (i == at.size()) return;
  }
}

inline double number(const Configuration& c, const std::string& name) {
  return static_cast<double>(std::get<std::int64_t>(c.at(name)));
}

inline std::size_t count_valid(const Space& space) {
  std::size_t count = 0;
  each_valid(space, [&](const Configuration&) { ++count; });
  return count;
}

/// Dedispersion-like: products, guards, chained comparisons.
inline Space block_space() {
  Space space;
  space.parameters = {integers("bx", {1, 2, 4, 8, 16, 32}), integers("by", {1, 2, 4, 8, 16, 32, 64}),
                      integers("tx", {1, 2, 3, 4}), integers("ty", {1, 2, 3, 4, 5}), integers("stride", {0, 1})};
  space.constraints = {constraint("32 <= bx * by <= 1024"), constraint("tx > 1 or stride == 0"),
                       constraint("bx * tx + 2 * ty < 100")};
  return space;
}

}  // namespace hone::search
