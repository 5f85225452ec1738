#pragma once
// Memory with wide sparse stretches before and after it: a kernel that runs on this processor may stray there without
// harm, and the pages it touched, reads included, tell how far. Nothing is kept of pages nobody touches.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/device_session.hpp"

namespace hone::device {

class WatchedMemory {
 public:
  /// `wide` bytes on each side. Null when the system gives no such memory.
  static std::unique_ptr<WatchedMemory> make(std::span<const std::uint8_t> contents, std::size_t wide);
  ~WatchedMemory();
  WatchedMemory(const WatchedMemory&) = delete;
  WatchedMemory& operator=(const WatchedMemory&) = delete;

  std::uint8_t* begin() const { return begin_; }
  /// The first contents again, and both sides untouched.
  void restore();
  Strayed strayed() const;

 private:
  WatchedMemory() = default;
  std::uint8_t *region_ = nullptr, *begin_ = nullptr;
  std::size_t whole_ = 0;
  std::vector<std::uint8_t> contents_;
};

}  // namespace hone::device
