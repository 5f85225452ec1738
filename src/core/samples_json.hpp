#pragma once
// Samples as JSON: the log, the protocol of workers and recorded runs keep them alike.

#include <nlohmann/json.hpp>
#include <vector>

#include "base/units.hpp"

namespace hone {

inline nlohmann::json as_json(const std::vector<Nanoseconds>& samples) {
  auto out = nlohmann::json::array();
  for (const auto sample : samples) out.push_back(sample.count());
  return out;
}

inline std::vector<Nanoseconds> samples_from(const nlohmann::json& json) {
  std::vector<Nanoseconds> out;
  for (const auto& sample : json) out.emplace_back(sample.get<double>());
  return out;
}

}  // namespace hone
