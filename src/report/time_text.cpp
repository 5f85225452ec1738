#include "report/time_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.hpp"

namespace hone::report {
namespace {

using Part = std::pair<std::string, Seconds>;

std::string in_order(std::vector<Part> parts) {
  constexpr Seconds least(0.1);
  std::ranges::stable_sort(parts, std::greater<>{}, &Part::second);
  std::vector<std::string> words;
  Seconds rest{0};
  for (const auto& [name, seconds] : parts) {
    if (seconds >= least)
      words.push_back(fmt::format("{} {:.1f} s", name, seconds.count()));
    else
      rest += seconds;
  }
  if (rest >= least) words.push_back(fmt::format("rest {:.1f} s", rest.count()));
  return join(words, ", ");
}

template <class Kinds>
std::vector<Part> parts_of(const TimeSpent& spent, const Kinds& kinds) {
  std::vector<Part> out;
  for (const auto kind : kinds) out.emplace_back(name_of(kind), spent.on(kind));
  return out;
}

nlohmann::json as_object(const std::vector<Part>& parts) {
  nlohmann::json out = nlohmann::json::object();
  for (const auto& [name, seconds] : parts) out[name] = seconds.count();
  return out;
}

}  // namespace

std::string spent_text(const TimeSpent& spent) {
  return fmt::format("Time: {:.1f} s for {}\n      in {}\n", spent.total().count(),
                     in_order(parts_of(spent, all_purposes)), in_order(parts_of(spent, all_activities)));
}

nlohmann::json spent_data(const TimeSpent& spent) {
  return {{"total", spent.total().count()},
          {"for", as_object(parts_of(spent, all_purposes))},
          {"in", as_object(parts_of(spent, all_activities))}};
}

}  // namespace hone::report
