#pragma once
// A budget as people write it.

#include <string>

#include "base/result.hpp"
#include "search/budget.hpp"

namespace hone::search {

/// "60s", "5m", "200", or several of them with commas: seconds, minutes or evaluations; the first that is reached ends
/// the search. E-BUDGET otherwise.
Result<Budget> parse_budget(const std::string& text);

}  // namespace hone::search
