#include "emulator/memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace hone::emulator {

/// What a real device gives at least.
static constexpr std::size_t kDeviceAlignment = 512;

Memory::~Memory() {
  for (const auto& [address, bytes] : allocations_) std::free(reinterpret_cast<void*>(address));  // NOLINT
}

std::uint64_t Memory::allocate(std::size_t bytes) {
  if (bytes == 0 || bytes > capacity_ - used_) return 0;
  const std::size_t rounded = (bytes + kDeviceAlignment - 1) / kDeviceAlignment * kDeviceAlignment;
  void* memory = std::aligned_alloc(kDeviceAlignment, rounded);
  if (memory == nullptr) return 0;
  const auto address = reinterpret_cast<std::uint64_t>(memory);
  allocations_[address] = bytes;
  used_ += bytes;
  return address;
}

bool Memory::release(std::uint64_t address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) return false;
  used_ -= found->second;
  allocations_.erase(found);
  std::free(reinterpret_cast<void*>(address));  // NOLINT
  return true;
}

std::optional<Extent> Memory::holding(std::uint64_t address, std::size_t bytes) const {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return std::nullopt;
  const auto& [begin, size] = *std::prev(after);
  if (address + bytes > begin + size || address + bytes < address) return std::nullopt;
  return Extent{begin, begin + size};
}

}  // namespace hone::emulator
