#pragma once
// Programs that Hone starts: each in a process group of its own, so that ending it ends what it started too.

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "os/fd.hpp"
#include "os/files.hpp"

namespace hone::os {

/// Caps on what a process may take; absent: as the parent has it.
struct Limits {
  std::optional<std::uint64_t> memory_bytes;  // address space
  std::optional<std::uint64_t> cpu_seconds;
  std::optional<std::uint64_t> file_bytes;
  std::optional<std::uint64_t> processes;
  bool core_dumps = true;
};
/// Of the calling process. Limits that the system refuses to set are named in the error.
Status apply(const Limits& limits);

struct Command {
  std::vector<std::string> words;                  // words[0] is looked up on PATH
  std::map<std::string, std::string> environment;  // added to the parent's
  Path folder;                                     // empty: the parent's
  Limits limits;
};

struct Exit {
  int code = 0;
  int signal = 0;  // 0: ended by itself
  /// "exit 3", "signal 11 (Segmentation fault)"
  std::string text() const;
};

/// A running program. Ended with its whole group when this goes out of scope.
class Child {
 public:
  /// `in`, `out` and `err` become descriptors 0, 1 and 2; -1 is /dev/null.
  static Result<Child> spawn(const Command& command, int in, int out, int err);
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

  pid_t pid() const { return pid_; }
  /// Waits for the end; nothing when it is still running after `limit`.
  std::optional<Exit> wait(Milliseconds limit);
  /// SIGKILL to the group, then waits.
  Exit end();

 private:
  explicit Child(pid_t pid) : pid_(pid) {}
  pid_t pid_ = -1;
  std::optional<Exit> ended_;
};

struct Finished {
  Exit exit;
  bool timed_out = false;
  bool stopped = false;  // ended because `stop` said so
  std::string out, err;  // cut at `output_limit`
};
inline constexpr std::size_t largest_output = std::size_t{16} << 20U;
/// Runs to the end with `input` on stdin. A program that passes `limit` is ended, and soon after `stop` says so.
Result<Finished> run(const Command& command, const std::string& input, Milliseconds limit,
                     std::size_t output_limit = largest_output, const std::function<bool()>& stop = {});

}  // namespace hone::os
