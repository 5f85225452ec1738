#include "judge/contention.hpp"

#include <algorithm>
#include <numeric>

namespace hone::judge {
namespace {

/// The request has a warm-up and restoring in it besides the passes, and those met the same load.
constexpr double kDoubt = 0.75;

Nanoseconds sum(const std::vector<Nanoseconds>& times) {
  return std::accumulate(times.begin(), times.end(), Nanoseconds(0));
}

double share(Nanoseconds ran, Nanoseconds waited) {
  return ran > Nanoseconds(0) && waited > Nanoseconds(0) ? ran / (ran + waited) : 1;
}

}  // namespace

Undisturbed undisturbed_passes(const TimesTaken& taken) {
  Undisturbed out{taken.span, 1};
  if (taken.ran.size() != taken.span.size() || taken.waited.size() != taken.span.size()) return out;
  const double least = kDoubt * share(taken.cpu, taken.waiting);
  for (std::size_t i = 0; i < out.passes.size(); ++i)
    out.passes[i] *= std::max(share(taken.ran[i], taken.waited[i]), least);
  if (sum(taken.span) > Nanoseconds(0)) out.served = sum(out.passes) / sum(taken.span);
  return out;
}

}  // namespace hone::judge
