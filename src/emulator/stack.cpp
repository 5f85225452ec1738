#include "emulator/stack.hpp"

#include <sys/mman.h>

namespace hone::emulator {

Stack::Stack(std::size_t bytes) : bytes_((bytes + kPage - 1) / kPage * kPage + kPage) {
  void* region = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (region == MAP_FAILED) return;
  begin_ = static_cast<std::uint8_t*>(region);
  ::mprotect(begin_, kPage, PROT_NONE);
}

Stack::~Stack() {
  if (begin_ != nullptr) ::munmap(begin_, bytes_);
}

bool Stack::holds(std::uint64_t address, std::size_t bytes) const {
  const auto begin = reinterpret_cast<std::uint64_t>(begin_) + kPage;
  return address >= begin && address + bytes <= begin + bytes_ - kPage;
}

}  // namespace hone::emulator
