#include "search/budget.hpp"

namespace hone::search {

Spent Spent::noted(const Outcome& outcome, Seconds now) const {
  Spent next = *this;
  ++next.evaluations;
  next.seconds = now;
  const bool gain = outcome.kind == Outcome::Kind::Measured && (!best || outcome.value < *best);
  if (gain) next.best = outcome.value;
  // Before the first success nothing can be a gain, and failures alone must not end the search.
  next.since_gain = gain || !next.best ? 0 : since_gain + 1;
  return next;
}

std::optional<std::string> over(const Budget& budget, const Spent& spent) {
  if (budget.target && spent.best && *spent.best <= *budget.target) return "target reached";
  if (budget.evaluations && spent.evaluations >= *budget.evaluations) {
    return std::to_string(*budget.evaluations) + " evaluations";
  }
  if (budget.seconds && spent.seconds >= *budget.seconds) {
    return std::to_string(static_cast<long long>(budget.seconds->count())) + " seconds";
  }
  if (budget.no_gain_for && spent.since_gain >= *budget.no_gain_for) {
    return "no gain for " + std::to_string(*budget.no_gain_for) + " evaluations";
  }
  return std::nullopt;
}

}  // namespace hone::search
