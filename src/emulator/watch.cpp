#include "emulator/watch.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hone::emulator {
namespace {

constexpr std::uint64_t kBytesOfCell = 4;

bool is_strong(std::uint8_t kind) {
  return kind == kHoneAtomic || kind == kHoneStrongRead || kind == kHoneCompareAndSwap;
}
bool is_read(std::uint8_t kind) { return kind == kHoneRead || kind == kHoneStrongRead; }

/// Two threads that only use atomics on a place do not race there.
bool clash(std::uint8_t a, std::uint8_t b) {
  // A loop around compare-and-swap begins with a plain read, and finds out when that was old.
  const bool tries = (a == kHoneRead && b == kHoneCompareAndSwap) || (a == kHoneCompareAndSwap && b == kHoneRead);
  return !tries && (!is_strong(a) || !is_strong(b));
}

std::string_view words_of(std::uint8_t kind) {
  return is_read(kind) ? "reads" : is_strong(kind) ? "changes by an atomic" : "writes";
}

}  // namespace

void Watch::begin_launch(std::size_t blocks, std::size_t threads) {
  pages_.clear();
  last_number_ = ~std::uint64_t{0};
  finding_.reset();
  const std::size_t warps = (threads + kLanes - 1) / kLanes;
  by_thread_.assign(threads, {});
  by_warp_.assign(warps, {});
  by_block_.assign(blocks, {});
  known_.assign(warps, {});
}

void Watch::begin_block(std::uint32_t index, Extent shared) {
  block_ = index;
  shared_ = shared;
  shared_cells_.assign((shared.end - shared.begin) / kBytesOfCell + 2, {});
  std::ranges::fill(by_thread_, Atomics{});
  std::ranges::fill(by_warp_, Atomics{});
  barrier_ = ++now_;
}

void Watch::warp_barrier(std::uint32_t warp, std::uint32_t lanes) {
  const std::uint32_t time = ++now_;
  auto& known = known_[warp];
  std::array<std::uint32_t, kLanes> together{};
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1U) == 0) continue;
    for (std::uint32_t other = 0; other < kLanes; ++other)
      together[other] = std::max(together[other], known[lane][other]);
    together[lane] = time;
  }
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    if ((lanes >> lane & 1U) != 0) known[lane] = together;
}

Watch::Cell& Watch::cell(std::uint64_t address) {
  if (is_shared(address)) return shared_cells_[(address - shared_.begin) / kBytesOfCell];
  const auto number = address / kBytesOfCell / kCellsOfPage;
  if (number != last_number_) {
    auto& page = pages_[number];
    if (page == nullptr) page = std::make_unique<Page>();
    last_page_ = page.get();
    last_number_ = number;
  }
  return (*last_page_)[address / kBytesOfCell % kCellsOfPage];
}

bool Watch::ordered(const Access& before, const Access& now) const {
  const auto through_atomics = [&](const Atomics& first, const Atomics& second) {
    return first.last > before.time && second.last > before.time && (first.places & second.places) != 0;
  };
  if (before.block != now.block) return through_atomics(by_block_[before.block], by_block_[now.block]);
  if (before.thread == now.thread || before.time < barrier_) return true;
  const auto warp = before.thread / kLanes, now_in = now.thread / kLanes;
  if (warp != now_in) return through_atomics(by_warp_[warp], by_warp_[now_in]);
  if (known_[warp][now.thread % kLanes][before.thread % kLanes] > before.time) return true;
  return through_atomics(by_thread_[before.thread], by_thread_[now.thread]);
}

void Watch::found(const Access& before, const Access& now, std::uint64_t address) {
  if (finding_) return;
  const auto place = is_shared(address) ? fmt::format("byte {} of shared memory", address - shared_.begin)
                                        : std::string("a place in global memory");
  finding_ =
      before.block == now.block
          ? fmt::format("race: thread {} {} {} that thread {} of its block {}, and nothing orders the two", now.thread,
                        words_of(now.kind), place, before.thread, words_of(before.kind))
          : fmt::format("race: thread {} of block {} {} {} that thread {} of block {} {}, and nothing orders the two",
                        now.thread, now.block, words_of(now.kind), place, before.thread, before.block,
                        words_of(before.kind));
}

void Watch::barrier_without(std::uint32_t threads) {
  if (!finding_)
    finding_ = fmt::format("divergent barrier: block {} passes a barrier that {} of its threads never come to", block_,
                           threads);
}

void Watch::one(Cell& cell, const Access& access, std::uint64_t address) {
  const auto races_with = [&](const Access& before) {
    return (before.bytes & access.bytes) != 0 && clash(before.kind, access.kind) && !ordered(before, access);
  };
  if (is_read(access.kind)) {
    if (cell.writer.kind != kHoneSilentWrite && races_with(cell.writer)) found(cell.writer, access, address);
    if (cell.reader.bytes == 0 || ordered(cell.reader, access))
      cell.reader = access;
    else
      cell.other_reader = access;
    return;
  }
  const bool changes = access.kind != kHoneSilentWrite;
  if (changes && races_with(cell.writer)) found(cell.writer, access, address);
  for (const auto* reader : {&cell.reader, &cell.other_reader})
    if (changes && races_with(*reader)) found(*reader, access, address);
  if (!changes && cell.writer.bytes != 0 && cell.writer.kind != kHoneSilentWrite && !ordered(cell.writer, access))
    return;
  if (changes) cell.reader = cell.other_reader = {};
  cell.writer = access;
}

void Watch::touch(const HoneThread& thread, std::uint64_t address, std::uint32_t bytes, HoneTouch kind) {
  if (finding_) return;
  Access access{block_, now_, static_cast<std::uint16_t>(thread.linear), 0, static_cast<std::uint8_t>(kind)};
  if (is_strong(static_cast<std::uint8_t>(kind))) {
    access.time = ++now_;
    const auto place = std::uint64_t{1} << (address / kBytesOfCell * 0x9E3779B97F4A7C15U >> 58U);
    by_thread_[thread.linear].add(now_, place);
    by_warp_[thread.warp].add(now_, place);
    by_block_[block_].add(now_, place);
  }
  for (auto at = address; at < address + bytes;) {
    const auto next = std::min((at / kBytesOfCell + 1) * kBytesOfCell, address + bytes);
    access.bytes = static_cast<std::uint8_t>(((1U << (next - at)) - 1) << (at % kBytesOfCell));
    one(cell(at), access, at);
    at = next;
  }
}

}  // namespace hone::emulator
