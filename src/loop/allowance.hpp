#pragma once
// A budget that means one thing everywhere: so many evaluations, or so many seconds. Handed out in shares.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>

#include "base/units.hpp"

namespace hone::loop {

/// Exactly one of the two is set.
struct Budget {
  std::optional<std::size_t> evaluations;
  std::optional<Seconds> seconds;
};

class Allowance {
 public:
  Allowance(Budget budget, std::function<Seconds()> now) : budget_(budget), now_(std::move(now)), start_(now_()) {}

  void evaluated() { ++evaluations_; }
  std::size_t evaluations() const { return evaluations_; }
  Seconds elapsed() const { return now_() - start_; }
  /// In units of the budget: evaluations or seconds.
  double spent() const { return budget_.evaluations ? static_cast<double>(evaluations_) : elapsed().count(); }
  double total() const {
    return budget_.evaluations ? static_cast<double>(*budget_.evaluations)
                               : budget_.seconds.value_or(Seconds(60)).count();
  }
  double left() const { return std::max(0.0, total() - spent()); }
  bool is_spent() const { return left() <= 0; }
  /// Seconds until the end, by the pace so far.
  Seconds estimate() const {
    if (!budget_.evaluations) return Seconds(left());
    return evaluations_ == 0 ? Seconds(0) : elapsed() * (left() / static_cast<double>(evaluations_));
  }

 private:
  Budget budget_;
  std::function<Seconds()> now_;
  Seconds start_;
  std::size_t evaluations_ = 0;
};

}  // namespace hone::loop
