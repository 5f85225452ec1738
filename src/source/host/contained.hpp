#pragma once
// Work on text nobody here wrote, where its crash or its hang costs only itself: each piece runs in a child process
// with limits on time and memory and answers with bytes.

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace hone::host {

struct ContainedLimits {
  std::chrono::milliseconds each{10000};   // of processor time, for one piece
  std::chrono::milliseconds total{40000};  // for all; what has not begun by then is not begun
  std::uint64_t memory_bytes = 3ULL << 30U;
  int parallel = 2;
  std::function<void(std::size_t done)> finished;  // told as each ends
};

struct Contained {
  std::string bytes;
  std::string problem;  // empty when it ended well: "signal 11", "took longer than 10 s", ...
};

/// `work(i)` for each i below count, in child processes; the answers in order.
std::vector<Contained> contained(std::size_t count, const std::function<std::string(std::size_t)>& work,
                                 const ContainedLimits& limits);

}  // namespace hone::host
