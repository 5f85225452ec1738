#pragma once
// Stacks of fibers, with a page below each that no one may touch.

#include <cstddef>
#include <cstdint>

namespace hone::emulator {

class Stack {
 public:
  explicit Stack(std::size_t bytes);
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  ~Stack();
  /// Null when the system gave none.
  void* top() const { return begin_ == nullptr ? nullptr : begin_ + bytes_; }
  std::size_t bytes() const { return bytes_ - kPage; }
  bool holds(std::uint64_t address, std::size_t bytes) const;

 private:
  static constexpr std::size_t kPage = 4096;
  std::uint8_t* begin_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace hone::emulator
