#include "loop/halving.hpp"

#include <algorithm>
#include <cmath>

namespace hone::loop {

Status halve(TuningContext& context, std::vector<Tuning>& tunings, double share,
             const std::function<void(const Tuning&)>& show) {
  std::vector<Tuning*> active;
  for (auto& tuning : tunings)
    if (tuning.best() && !tuning.exhausted()) active.push_back(&tuning);
  const double end = context.allowance.spent() + share;
  while (!active.empty() && context.allowance.spent() < end && !context.allowance.ended() && !context.ports.stop()) {
    const double rungs = std::ceil(std::log2(static_cast<double>(active.size()))) + 1;
    const double slice = (end - context.allowance.spent()) / (rungs * static_cast<double>(active.size()));
    for (auto* tuning : active) {
      show(*tuning);
      if (auto more = tuning->advance(context, slice); !more) return fail(std::move(more).error());
    }
    std::ranges::sort(active, {}, [](const Tuning* t) { return t->best_figure(); });
    if (active.size() > 1) active.resize((active.size() + 1) / 2);
    std::erase_if(active, [](const Tuning* t) { return t->exhausted(); });
  }
  return {};
}

}  // namespace hone::loop
