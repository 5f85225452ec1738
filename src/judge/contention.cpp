#include "judge/contention.hpp"

#include <algorithm>
#include <numeric>

namespace hone::judge {
namespace {

/// The request has a warm-up and restoring in it besides the passes, and those met the same load.
constexpr double kDoubt = 0.75;

/// A pass that got so much of the processors was alone with them; what is missing is the scheduler's own.
constexpr double kCalm = 0.98;

Nanoseconds sum(const std::vector<Nanoseconds>& times) {
  return std::accumulate(times.begin(), times.end(), Nanoseconds(0));
}

double share(Nanoseconds ran, Nanoseconds waited) {
  return ran > Nanoseconds(0) && waited > Nanoseconds(0) ? ran / (ran + waited) : 1;
}

}  // namespace

Undisturbed undisturbed_passes(const TimesTaken& taken) {
  Undisturbed out{taken.span, std::vector<double>(taken.span.size(), 1.0), 1};
  const double request = share(taken.cpu, taken.waiting);
  const bool known = taken.ran.size() == taken.span.size() && taken.waited.size() == taken.span.size();
  for (std::size_t i = 0; i < out.passes.size(); ++i) {
    out.shares[i] = known ? std::max(share(taken.ran[i], taken.waited[i]), kDoubt * request) : request;
    out.passes[i] *= out.shares[i];
  }
  if (sum(taken.span) > Nanoseconds(0)) out.served = sum(out.passes) / sum(taken.span);
  return out;
}

Nanoseconds calm_middle(const Undisturbed& alone) {
  std::vector<double> shares;
  for (const auto share : alone.shares) shares.push_back(std::min(share, kCalm));
  std::ranges::sort(shares);
  const double least = shares.empty() ? 0 : shares[shares.size() / 2];
  std::vector<Nanoseconds> calm;
  for (std::size_t i = 0; i < alone.passes.size(); ++i)
    if (std::min(alone.shares[i], kCalm) >= least) calm.push_back(alone.passes[i]);
  return median(std::move(calm));
}

}  // namespace hone::judge
