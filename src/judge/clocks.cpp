#include "judge/clocks.hpp"

#include <algorithm>
#include <numeric>

#include "core/verdict.hpp"

namespace hone::judge {

void Clocks::saw(std::size_t runs, const TimesTaken& taken) {
  rest_[runs].push_back(taken.wall - std::accumulate(taken.span.begin(), taken.span.end(), Nanoseconds(0)));
}

Nanoseconds Clocks::per_run() const {
  if (rest_.size() < 2) return Nanoseconds(0);
  const auto& [few, after_few] = *rest_.begin();
  const auto& [many, after_many] = *rest_.rbegin();
  return (std::ranges::min(after_many) - std::ranges::min(after_few)) / static_cast<double>(many - few);
}

Nanoseconds Clocks::per_visit() const { return rest_.empty() ? Nanoseconds(0) : median(rest_.begin()->second); }

}  // namespace hone::judge
