// What a checker prints about a kernel is there when the run has ended, not a moment later: a finding that came late
// would be missing here and held against the next kernel.

#include "worker/server/printed.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

namespace hone::worker {
namespace {

/// Whether all of so many lines are there when they are asked for. In a process of its own, since its descriptor 1 is
/// led elsewhere.
bool all_in_time(int lines) {
  const pid_t child = fork();
  if (child == 0) {
    auto printed = Printed::start();
    if (!printed) _exit(2);
    int missing = 0;
    for (int i = 0; i < lines; ++i) {
      const auto line = "finding " + std::to_string(i) + "\n";
      (void)!::write(STDOUT_FILENO, line.data(), line.size());
      if ((*printed)->take() != line) ++missing;
    }
    _exit(missing == 0 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Printed, IsThereWhenTheRunHasEnded) { EXPECT_TRUE(all_in_time(20000)); }

}  // namespace
}  // namespace hone::worker
