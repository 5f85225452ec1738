#include "device/watched_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace hone::device {
namespace {

constexpr std::size_t kPage = 4096;
/// What the widest vector needs; the end of the memory is at most this far from the end of a page.
constexpr std::size_t kAlignment = 128;

std::size_t to_pages(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

}  // namespace

std::unique_ptr<WatchedMemory> WatchedMemory::make(std::span<const std::uint8_t> contents, std::size_t wide) {
  std::unique_ptr<WatchedMemory> out(new WatchedMemory());
  const std::size_t side = to_pages(wide);
  const std::size_t inside = to_pages(std::max<std::size_t>(contents.size(), 1));
  out->whole_ = 2 * side + inside;
  void* region =
      ::mmap(nullptr, out->whole_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (region == MAP_FAILED) return nullptr;
  ::madvise(region, out->whole_, MADV_NOHUGEPAGE);  // one touch must not make its neighbours look touched
  out->region_ = static_cast<std::uint8_t*>(region);
  const std::size_t rounded = (std::max<std::size_t>(contents.size(), 1) + kAlignment - 1) / kAlignment * kAlignment;
  out->begin_ = out->region_ + side + inside - rounded;
  out->contents_.assign(contents.begin(), contents.end());
  out->restore();
  return out;
}

WatchedMemory::~WatchedMemory() {
  if (region_ != nullptr) ::munmap(region_, whole_);
}

void WatchedMemory::restore() {
  ::madvise(region_, whole_, MADV_DONTNEED);
  if (!contents_.empty()) std::memcpy(begin_, contents_.data(), contents_.size());
}

Strayed WatchedMemory::strayed() const {
  std::vector<unsigned char> present(whole_ / kPage);
  if (::mincore(region_, whole_, present.data()) != 0) return {};
  const auto first_inside = static_cast<std::size_t>(begin_ - region_) / kPage;
  const auto past_inside = (static_cast<std::size_t>(begin_ - region_) + contents_.size() + kPage - 1) / kPage;
  Strayed out;
  for (std::size_t page = 0; page < first_inside; ++page) {
    if ((present[page] & 1U) == 0) continue;
    out.before = static_cast<std::size_t>(begin_ - region_) - page * kPage;
    break;
  }
  for (std::size_t page = present.size(); page > past_inside; --page) {
    if ((present[page - 1] & 1U) == 0) continue;
    out.after = page * kPage - (static_cast<std::size_t>(begin_ - region_) + contents_.size());
    break;
  }
  return out;
}

}  // namespace hone::device
