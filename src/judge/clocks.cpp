#include "judge/clocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/verdict.hpp"

namespace hone::judge {

void Clocks::saw(std::size_t runs, const TimesTaken& taken) {
  rest_[runs].push_back(taken.wall - std::accumulate(taken.span.begin(), taken.span.end(), Nanoseconds(0)));
  cpu_[runs].push_back(taken.cpu);
}

Clocks::Excess Clocks::excess_of(const ByRuns& times) {
  if (times.empty()) return {};
  const auto& [few, of_few] = *times.begin();
  const auto& [many, of_many] = *times.rbegin();
  Excess out;
  out.per_visit = median(of_few);
  if (many > few)
    out.per_run = (std::ranges::min(of_many) - std::ranges::min(of_few)) / static_cast<double>(many - few);
  return out;
}

Clocks::Excess Clocks::Excess::operator-(const Excess& other) const {
  return {per_run - std::max(other.per_run, Nanoseconds(0)), per_visit - other.per_visit};
}

std::optional<std::string> disagreement(const Clocked& seen) {
  const auto overhead = Nanoseconds(200e3) * static_cast<double>(seen.launches);
  const auto runs = static_cast<double>(seen.runs);
  // A visit begins with a warm-up that is not sampled; cold, it may take a few passes' time. The bound on visits is
  // loose: it is there for a clock that lies more in short visits than in long ones.
  const Clocks::Excess limit{seen.claimed * 0.3 + overhead, seen.claimed * 8 + overhead * (runs + 20)};
  const auto restoring = seen.restoring.unsampled();
  const auto excess = seen.challenger.unsampled() - restoring;
  if (excess.within(limit)) return std::nullopt;

  const auto spent = seen.challenger.processor() - seen.restoring.processor();
  const bool waited = restoring.per_visit > seen.restoring.processor().per_visit * 1.3 + Nanoseconds(1e6);
  const bool busy = waited || (seen.incumbent.unsampled() - restoring).per_run > limit.per_run;
  if (busy && seen.processors > 0 && spent.per_visit > Nanoseconds(0)) {
    const auto each = static_cast<double>(seen.processors);
    const Clocks::Excess most{(seen.claimed * 1.3 + overhead) * each,
                              (seen.claimed * (1.3 * runs + 8) + overhead * (runs + 20)) * each};
    if (spent.within(most)) return std::nullopt;
  }
  return fmt::format(
      "the device says {:.3f} ms a pass, the parent's clock has {:.3f} ms more a pass and {:.3f} ms more a request",
      seen.claimed.count() / 1e6, excess.per_run.count() / 1e6, excess.per_visit.count() / 1e6);
}

}  // namespace hone::judge
