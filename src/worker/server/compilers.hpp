#pragma once
// Processes beside a worker, in its sandbox, that build what the worker is about to be asked for. A runtime that keeps
// what it compiled on disk, yet compiles one thing at a time and waits for the first launch of a size to do half of the
// work, is so used on all cores: the worker finds everything in the cache they share. What goes wrong in such a process
// costs that process; the worker builds the same again and tells.

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

#include "os/fd.hpp"
#include "worker/messages.hpp"

namespace hone::worker {

class Compilers {
 public:
  /// Forks them, so it comes before threads and devices. `serve` is what each becomes, given its end of the wire.
  Compilers(std::size_t count, const std::function<void(int wire)>& serve);
  Compilers(const Compilers&) = delete;
  Compilers& operator=(const Compilers&) = delete;
  ~Compilers();

  /// Builds all and launches each once on `data`. Returns when nothing runs any more.
  void warm(const Hello& hello, const Load& data, const std::vector<DeviceSession::BuildRequest>& requests);

 private:
  struct One {
    pid_t process = -1;
    os::Fd wire;
    bool greeted = false;
  };
  void work(One& one, const Hello& hello, const Load& data, const std::vector<DeviceSession::BuildRequest>& requests,
            std::atomic<std::size_t>& next);
  /// Nothing when it is lost; then it has ended.
  static std::optional<Answer> ask(One& one, Question question, Milliseconds limit);
  static void end(One& one);
  std::vector<One> all_;
};

}  // namespace hone::worker
