#pragma once
// What kernels print. Descriptor 1 leads into a pipe that a thread empties: a flood is cut, never stored and never
// mistaken for the protocol.

#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

#include "base/result.hpp"
#include "os/fd.hpp"

namespace hone::worker {

class Printed {
 public:
  /// Redirects descriptor 1 of this process.
  static Result<std::unique_ptr<Printed>> start();
  Printed(const Printed&) = delete;
  Printed& operator=(const Printed&) = delete;
  ~Printed();
  /// Everything printed since the last call, at most kLongest bytes of it.
  std::string take();

 private:
  static constexpr std::size_t kLongest = std::size_t{64} << 10U;
  explicit Printed(os::Fd from) : from_(std::move(from)) {}
  void drain();
  /// What the pipe holds now; false once its last writer is gone. Read under the lock alone, so that nothing is ever
  /// out of the pipe and not yet in the text.
  bool read_all();

  os::Fd from_;
  std::mutex mutex_;
  std::string text_;
  std::thread thread_;
};

}  // namespace hone::worker
