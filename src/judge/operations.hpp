#pragma once
// Operations that mean nothing and happen to work on the device at hand: integer division by zero, shifts too far, an
// index that overflowed, memory that was read before anybody wrote it, an element behind the last. Found by
// interpreting the candidate's tree at a small size, and some groups of it at the size it is tuned for; what the
// interpreter does not know is an Error, and says nothing of the candidate.

#include <chrono>
#include <cstdint>

#include "ir/lifter.hpp"
#include "judge/race_checker.hpp"

namespace hone::judge {

/// What interpreting may cost hone itself: what takes more is not interpreted, or not to its end, and that is said.
struct InterpretingLimits {
  /// Of all work-items together. A step takes some hundred nanoseconds.
  std::uint64_t steps = 20'000'000;
  /// After this long only kernels that were not interpreted yet still are; and none longer than this.
  std::chrono::nanoseconds time = std::chrono::seconds(5);
  /// Of a launch with more work-items, or on more data, only some groups are interpreted, with a sixteenth of these and
  /// in a fifth of the time, and nothing that follows it.
  std::size_t items = 4096;
  std::size_t small_data = std::size_t{256} << 10U;
  /// Of data. Who touched a byte is remembered in forty more, so that this bounds hone's own memory.
  std::size_t bytes = std::size_t{16} << 20U;
};

class InterpretedOperations final : public RaceChecker {
 public:
  /// Both outlive it.
  InterpretedOperations(const ir::Lifter& lifter, const Mep& mep, InterpretingLimits limits = {})
      : lifter_(lifter), mep_(mep), limits_(limits) {}
  Result<std::optional<std::string>> watch(const Variant& variant, const Problem& problem) override {
    return interpret(variant, problem, false);
  }
  Result<std::optional<std::string>> glance(const Variant& variant, const Problem& problem) override {
    return interpret(variant, problem, true);
  }

 private:
  Result<std::optional<std::string>> interpret(const Variant& variant, const Problem& problem, bool glance);

  const ir::Lifter& lifter_;
  const Mep& mep_;
  InterpretingLimits limits_;
};

}  // namespace hone::judge
