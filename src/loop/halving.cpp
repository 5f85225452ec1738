#include "loop/halving.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hone::loop {
namespace {

bool has_more(const Tuning* tuning) { return !tuning->finished() && !tuning->quiet(); }

/// Those whose points were all refused or hopeless so far come last, not never.
double rank_of(const Tuning* tuning) {
  return tuning->best() ? tuning->best_figure() : std::numeric_limits<double>::infinity();
}

/// The faster half of those that can go on, the fastest first.
std::vector<Tuning*> faster_half(const std::vector<Tuning*>& tunings) {
  std::vector<Tuning*> active;
  std::ranges::copy_if(tunings, std::back_inserter(active), has_more);
  std::ranges::stable_sort(active, {}, rank_of);
  if (active.size() > 1) active.resize((active.size() + 1) / 2);
  return active;
}

}  // namespace

Status halve(TuningContext& context, const std::vector<Tuning*>& tunings, double share,
             const std::function<void(const Tuning&)>& show) {
  const double end = context.allowance.spent() + share;
  const auto over = [&] {
    const bool enough = std::ranges::any_of(
        tunings, [&](const Tuning* tuning) { return tuning->best() && context.is_enough(tuning->best_figure()); });
    return enough || context.allowance.spent() >= end || context.allowance.ended() || context.ports.stop();
  };
  for (auto active = faster_half(tunings); !active.empty() && !over();) {
    const double rungs = std::ceil(std::log2(static_cast<double>(active.size()))) + 1;
    const double slice = (end - context.allowance.spent()) / (rungs * static_cast<double>(active.size()));
    for (auto* tuning : active) {
      if (over()) break;
      show(*tuning);
      if (auto done = tuning->advance(context, slice); !done) return done;
    }
    active = faster_half(active);
    if (active.empty()) active = faster_half(tunings);
  }
  return {};
}

}  // namespace hone::loop
