#pragma once
// When a search ends. A budget means the same everywhere: whoever runs the search reports what was spent, with the
// clock values it was told; nothing here looks at a clock.

#include <cstddef>
#include <optional>
#include <string>

#include "base/units.hpp"
#include "search/strategy.hpp"

namespace hone::search {

/// The first limit that is reached ends the search; one that is absent never does.
struct Budget {
  std::optional<std::size_t> evaluations;  // failures and censored ones count
  std::optional<Seconds> seconds;          // of the whole search, told by the caller
  std::optional<double> target;            // a time this good is good enough
  std::optional<std::size_t> no_gain_for;  // evaluations since the best last improved
};

/// What has been spent so far. `noted` gives the next one.
struct Spent {
  std::size_t evaluations = 0;
  Seconds seconds{0};
  std::optional<double> best;
  std::size_t since_gain = 0;
  Spent noted(const Outcome& outcome, Seconds now) const;
};

/// Why the search is over, in words for a report ("30 evaluations", "no gain for 50 evaluations"); nothing when it is
/// not.
std::optional<std::string> over(const Budget& budget, const Spent& spent);

}  // namespace hone::search
