#include "search/budget_text.hpp"

#include <cmath>
#include <map>

#include "base/text.hpp"

namespace hone::search {

Result<Budget> parse_budget(const std::string& text) {
  const auto wrong = [&] {
    return fail("E-BUDGET", "'" + text + "' is not a budget",
                "--budget 60s, --budget 5m, --budget 200 or --budget 200,5m");
  };
  static const std::map<std::string, double> units = {{"s", 1}, {"m", 60}, {"h", 3600}};
  Budget budget;
  for (const auto& part : split(text, ',')) {
    std::size_t digits = 0;
    double amount = 0;
    try {
      amount = std::stod(part, &digits);
    } catch (const std::exception&) {
      return wrong();
    }
    const auto unit = part.substr(digits);
    if (!std::isfinite(amount) || amount <= 0) return wrong();
    if (const auto known = units.find(unit); known != units.end())
      budget.seconds = Seconds(amount * known->second);
    else if (unit.empty() && std::floor(amount) == amount)
      budget.evaluations = static_cast<std::size_t>(amount);
    else
      return wrong();
  }
  return budget;
}

}  // namespace hone::search
