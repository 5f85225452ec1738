#pragma once
// The parent's own clock. Deadlines and wall times come from here and from nowhere else.

#include <chrono>

#include "base/units.hpp"

namespace hone::os {

using Instant = std::chrono::steady_clock::time_point;
inline Instant now() { return std::chrono::steady_clock::now(); }
inline Nanoseconds since(Instant start) { return now() - start; }

/// A point in time that work must not pass.
class Deadline {
 public:
  explicit Deadline(Milliseconds left) : end_(now() + std::chrono::duration_cast<std::chrono::nanoseconds>(left)) {}
  bool passed() const { return now() >= end_; }
  /// For poll(): whole milliseconds left, rounded up, never negative.
  int poll_timeout() const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - now()).count();
    return left < 0 ? 0 : static_cast<int>(left < 1'000'000 ? left : 1'000'000);
  }

 private:
  Instant end_;
};

}  // namespace hone::os
