#pragma once
// What the lanes of a warp do together: each deposits what it brings, and whoever completes the mask computes what all
// of them get. Lanes that have ended count as having arrived.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace hone::emulator {

inline constexpr std::uint32_t kLanes = 32;

struct Deposit {
  std::uint64_t value = 0;
  std::uint32_t a = 0, b = 0;  // source and clamp of a shuffle
};

class Warp {
 public:
  /// The lanes that were waited for, with their results in `results()`, once the last of them is there.
  std::optional<std::uint32_t> arrive(std::uint32_t kind, std::uint32_t mask, std::uint32_t lane,
                                      const Deposit& deposit);
  /// An exchange that only waited for this lane is complete now.
  std::optional<std::uint32_t> end(std::uint32_t lane);
  const std::array<std::uint64_t, kLanes>& results() const { return results_; }
  /// Whether what was completed last makes memory visible, as shuffles and votes do not.
  bool was_barrier() const { return was_barrier_; }
  std::uint32_t ended() const { return ended_; }
  /// Lanes of a block that has no more threads.
  void without(std::uint32_t lanes) { ended_ |= lanes; }
  bool is_waiting() const { return !pending_.empty(); }

 private:
  struct Pending {
    std::uint32_t kind = 0, mask = 0, arrived = 0;
    std::array<Deposit, kLanes> deposits;
  };
  std::optional<std::uint32_t> complete(std::size_t at);
  std::vector<Pending> pending_;
  std::array<std::uint64_t, kLanes> results_{};
  std::uint32_t ended_ = 0;
  bool was_barrier_ = false;
};

}  // namespace hone::emulator
