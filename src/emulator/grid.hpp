#pragma once
// Runs a translated kernel over a grid on this processor: block after block, every thread of a block a fiber. In: the
// kernel as code, sizes, parameters and the device's memory. Out: how it ended; what it wrote is in the memory.
//
// A fiber whose thread ends without having waited takes the next thread, so a kernel without barriers switches twice a
// block. Threads start and go on in ascending or descending order: what differs between the two is a race.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "emulator/abi.hpp"
#include "emulator/fault.hpp"
#include "emulator/memory.hpp"

namespace hone::emulator {

enum class Order { Ascending, Descending };

struct Launch {
  void (*kernel)(HoneThread*) = nullptr;
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::vector<std::uint8_t> params;
  std::size_t static_shared = 0, dynamic_shared = 0;
  std::size_t local_bytes = 0;  // what a thread keeps in its stack
  std::size_t ranges = 0;       // memory instructions of the kernel
  std::vector<std::uint64_t> symbols;
  std::vector<Extent> variables;  // what `symbols` point to
  Order order = Order::Ascending;
  std::uint8_t unwritten = 0;  // what shared memory holds before somebody writes
  bool watched = false;        // races are looked for
};

class Grid {
 public:
  explicit Grid(const Memory& memory);
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;
  ~Grid();
  /// Nothing when all threads came to their end.
  std::optional<Fault> run(const Launch& launch);
  /// What was found first in the last launch that was watched.
  const std::optional<std::string>& finding() const;

 private:
  class Runner;
  std::unique_ptr<Runner> runner_;
};

}  // namespace hone::emulator
