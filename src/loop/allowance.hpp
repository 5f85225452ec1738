#pragma once
// A search's budget, handed out in shares to rounds and templates. What it means is search/budget.hpp's alone.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "base/units.hpp"
#include "search/budget.hpp"

namespace hone::loop {

class Allowance {
 public:
  Allowance(search::Budget budget, std::function<Seconds()> now)
      : budget_(budget), now_(std::move(now)), start_(now_()) {
    if (!budget_.evaluations && !budget_.seconds) budget_.seconds = Seconds(60);
  }

  void evaluated(const search::Outcome& outcome) { so_far_ = so_far_.noted(outcome, elapsed()); }
  std::size_t evaluations() const { return so_far_.evaluations; }
  std::size_t evaluations_left() const {
    if (!budget_.evaluations) return std::numeric_limits<std::size_t>::max();
    return *budget_.evaluations - std::min(*budget_.evaluations, evaluations());
  }
  /// Without the time that proposers took: a slow model, or a person at a mailbox, takes nothing from the search.
  Seconds elapsed() const { return took() - thought_; }
  Seconds took() const { return now_() - start_; }
  template <class Ask>
  auto uncounted(Ask&& ask) {
    const auto before = now_();
    auto answer = ask();
    thought_ += now_() - before;
    return answer;
  }
  /// The original is measured. What that took beyond a quarter of the budget is not counted: a budget that went into
  /// preparing large data would search nothing at all.
  void prepared() {
    if (budget_.seconds) thought_ += std::max(Seconds(0), elapsed() - *budget_.seconds / 4);
  }
  /// Time kept back for the proof at the end, asked anew each time: the search is over when only this is left. Never
  /// more than half.
  void reserve(std::function<Seconds()> kept) { kept_ = std::move(kept); }
  /// In units of the budget: evaluations where they are limited, else seconds.
  double spent() const { return budget_.evaluations ? static_cast<double>(so_far_.evaluations) : elapsed().count(); }
  double total() const {
    return budget_.evaluations ? static_cast<double>(*budget_.evaluations) : budget_.seconds->count();
  }
  /// What the search may still spend.
  double left() const { return std::max(0.0, total() - spent() - (budget_.evaluations ? 0.0 : reserved().count())); }
  /// Why the search is over; nothing while it is not.
  std::optional<std::string> ended() const {
    auto now = so_far_;
    now.seconds = elapsed() + reserved();
    return search::over(budget_, now);
  }
  /// Whether the whole budget is spent, what was kept back and all.
  bool is_overdrawn() const { return is_overdrawn_by(Seconds(0)); }
  bool is_overdrawn_by(Seconds more) const { return budget_.seconds && elapsed() >= *budget_.seconds + more; }
  bool counts_evaluations() const { return budget_.evaluations.has_value(); }
  /// Seconds until the end, by the pace so far.
  Seconds estimate() const {
    if (!budget_.evaluations) return Seconds(left());
    return evaluations() == 0 ? Seconds(0) : elapsed() * (left() / static_cast<double>(evaluations()));
  }

 private:
  Seconds reserved() const { return budget_.seconds && kept_ ? std::min(kept_(), *budget_.seconds / 2) : Seconds(0); }

  search::Budget budget_;
  std::function<Seconds()> now_;
  Seconds start_;
  Seconds thought_{0};
  std::function<Seconds()> kept_;
  search::Spent so_far_;
};

}  // namespace hone::loop
