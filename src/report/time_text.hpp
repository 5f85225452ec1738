#pragma once
// Where the time of a run went, in words and as data. The parts add up to the whole.

#include <nlohmann/json.hpp>
#include <string>

#include "core/time_spent.hpp"

namespace hone::report {

/// Two lines: what for, and doing what; the largest first, parts under a tenth of a second together as "rest".
std::string spent_text(const TimeSpent& spent);
nlohmann::json spent_data(const TimeSpent& spent);

}  // namespace hone::report
