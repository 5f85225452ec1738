#pragma once
// The clock of a run that can be replayed. It moves only at the end of something that was waited for (a measurement, an
// answer), and each such moment is recorded; so a replay, which waits for nothing, sees the same times and takes the
// same decisions.

#include <functional>

#include "base/units.hpp"

namespace hone::app {

class SteppedClock {
 public:
  /// Without a clock of its own it only moves by set().
  explicit SteppedClock(std::function<Seconds()> real = {}) : real_(std::move(real)) {
    if (real_) start_ = real_();
  }
  Seconds now() const { return now_; }
  /// Moves to the present; says where that is.
  Seconds step() {
    if (real_) now_ = real_() - start_;
    return now_;
  }
  void set(Seconds at) { now_ = at; }

 private:
  std::function<Seconds()> real_;
  Seconds start_{0}, now_{0};
};

}  // namespace hone::app
