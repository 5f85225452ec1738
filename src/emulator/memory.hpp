#pragma once
// The memory of an emulated device: allocations of this process, each known with its exact bounds, and no more of them
// together than the device has.

#include <cstdint>
#include <map>
#include <optional>

namespace hone::emulator {

struct Extent {
  std::uint64_t begin = 0, end = 0;
};

class Memory {
 public:
  explicit Memory(std::size_t capacity) : capacity_(capacity) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory();

  /// 0 when there is no room.
  std::uint64_t allocate(std::size_t bytes);
  /// False when `address` is not the begin of an allocation.
  bool release(std::uint64_t address);
  std::optional<Extent> holding(std::uint64_t address, std::size_t bytes) const;
  std::size_t capacity() const { return capacity_; }
  std::size_t used() const { return used_; }

 private:
  std::map<std::uint64_t, std::size_t> allocations_;
  std::size_t capacity_, used_ = 0;
};

}  // namespace hone::emulator
