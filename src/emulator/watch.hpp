#pragma once
// Who touched what since when, in shared and in global memory: two threads that touch one place, one of them writing,
// with nothing that orders them, race, whatever came of it this time. In: accesses of threads and what makes them wait
// for each other. Out: the first race in words.
//
//   orders two accesses        __syncthreads between them; __syncwarp of both lanes; atomics of both sides on one
//   place, the
//                              first behind the one access and the second before the other (locks, counters, flags)
//   does not                   running in one warp, shuffles and votes, volatile shared memory
//
// A barrier that the block passes while some of its threads have ended is divergent. Stores of the value that stands
// there already race with nothing. Where it cannot tell, it says nothing.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "emulator/abi.hpp"
#include "emulator/memory.hpp"
#include "emulator/warp.hpp"

namespace hone::emulator {

class Watch {
 public:
  void begin_launch(std::size_t blocks, std::size_t threads);
  /// `shared`: where the block's shared memory lies.
  void begin_block(std::uint32_t index, Extent shared);
  void barrier() { barrier_ = ++now_; }
  void warp_barrier(std::uint32_t warp, std::uint32_t lanes);
  void touch(const HoneThread& thread, std::uint64_t address, std::uint32_t bytes, HoneTouch kind);
  /// A barrier of the block is passed, and so many of its threads have ended.
  void barrier_without(std::uint32_t threads);
  /// The first finding: "race: ..." or "divergent barrier: ...".
  const std::optional<std::string>& finding() const { return finding_; }

 private:
  /// One thread's access to some bytes of four.
  struct Access {
    std::uint32_t block = 0, time = 0;
    std::uint16_t thread = 0;
    std::uint8_t bytes = 0;  // a bit each; none: nobody's
    std::uint8_t kind = kHoneRead;
  };
  struct Cell {
    Access writer, reader, other_reader;
  };
  static constexpr std::size_t kCellsOfPage = 1024;
  using Page = std::array<Cell, kCellsOfPage>;
  /// Atomics of a thread, a warp or a block: when the last one was, and on which places, a bit each.
  struct Atomics {
    std::uint32_t last = 0;
    std::uint64_t places = 0;
    void add(std::uint32_t time, std::uint64_t place) {
      last = time;
      places |= place;
    }
  };

  Cell& cell(std::uint64_t address);
  void one(Cell& cell, const Access& access, std::uint64_t address);
  bool is_shared(std::uint64_t address) const { return address >= shared_.begin && address < shared_.end; }
  bool ordered(const Access& before, const Access& now) const;
  void found(const Access& before, const Access& now, std::uint64_t address);

  std::uint32_t now_ = 1, barrier_ = 0, block_ = 0;
  Extent shared_;
  std::vector<Cell> shared_cells_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::uint64_t last_number_ = ~std::uint64_t{0};
  Page* last_page_ = nullptr;
  std::vector<Atomics> by_thread_, by_warp_, by_block_;
  using Known = std::array<std::array<std::uint32_t, kLanes>, kLanes>;  // of a lane: until when it knows of the others
  std::vector<Known> known_;
  std::optional<std::string> finding_;
};

}  // namespace hone::emulator
