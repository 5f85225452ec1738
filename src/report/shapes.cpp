#include "report/shapes.hpp"

#include <fmt/format.h>

#include <cmath>

namespace hone::report {
namespace {

std::string speedup(const std::optional<double>& value) { return value ? fmt::format("{:.2f}x", *value) : "no figure"; }

std::optional<double> mean_of(const Shapes& shapes, Role role, std::optional<double> ShapeLine::* which) {
  double logs = 0;
  int count = 0;
  for (const auto& line : shapes.lines) {
    if (line.role != role) continue;
    if (!(line.*which)) return std::nullopt;
    logs += std::log(*(line.*which));
    ++count;
  }
  return count > 0 ? std::optional(std::exp(logs / count)) : std::nullopt;
}

nlohmann::json number_or_null(const std::optional<double>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json();
}

}  // namespace

std::vector<std::string> in_words(const Shapes& shapes) {
  std::vector<std::string> out;
  for (const auto& line : shapes.lines)
    out.push_back(fmt::format("{} ({}): general {}, per shape {}{}", line.workload, name_of(line.role),
                              speedup(line.general), speedup(line.per_shape),
                              line.own ? " with " + print(*line.own) : ""));
  for (const auto role : {Role::Tune, Role::HeldOut})
    if (const auto general = mean_of(shapes, role, &ShapeLine::general))
      out.push_back(fmt::format("geometric mean of {}: general {}, per shape {}", name_of(role), speedup(general),
                                speedup(mean_of(shapes, role, &ShapeLine::per_shape))));
  if (!shapes.why_not.empty()) out.push_back("no choice by size: " + shapes.why_not);
  out.push_back(shapes.in_patch ? "the patch chooses by size" : "the patch carries the general configuration");
  return out;
}

nlohmann::json data(const Shapes& shapes) {
  nlohmann::json out = {{"general", print(shapes.general)},  {"shapes", nlohmann::json::array()},
                        {"choice", nlohmann::json::array()}, {"means", nlohmann::json::object()},
                        {"why_not", shapes.why_not},         {"patch", shapes.in_patch ? "per shape" : "general"}};
  for (const auto& line : shapes.lines)
    out["shapes"].push_back({{"workload", line.workload},
                             {"role", name_of(line.role)},
                             {"general", number_or_null(line.general)},
                             {"per_shape", number_or_null(line.per_shape)},
                             {"configuration", print(line.own.value_or(shapes.general))}});
  for (const auto& [when, configuration] : shapes.choice)
    out["choice"].push_back({{"when", when}, {"configuration", print(configuration)}});
  for (const auto role : {Role::Tune, Role::HeldOut})
    out["means"][std::string(name_of(role))] = {
        {"general", number_or_null(mean_of(shapes, role, &ShapeLine::general))},
        {"per_shape", number_or_null(mean_of(shapes, role, &ShapeLine::per_shape))}};
  return out;
}

}  // namespace hone::report
