// A worker in a process namespace of its own still learns from the /proc outside what its threads waited for.

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <semaphore>
#include <thread>

#include "os/processor_use.hpp"

namespace hone::os {
namespace {

/// Whether a process with a second thread knows its threads' accounts.
bool knows_its_threads() {
  std::binary_semaphore end(0);
  std::thread other([&] { end.acquire(); });
  const bool known = OwnThreads().known();
  end.release();
  other.join();
  return known;
}

int status_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(OwnThreads, AreKnown) { EXPECT_TRUE(knows_its_threads()); }

TEST(OwnThreads, AreKnownWhereProcNumbersThemOtherwise) {
  constexpr int kNoNamespaces = 2;
  const pid_t child = fork();
  if (child == 0) {
    if (unshare(geteuid() == 0 ? CLONE_NEWPID : CLONE_NEWUSER | CLONE_NEWPID) != 0) _exit(kNoNamespaces);
    const pid_t inside = fork();
    if (inside == 0) _exit(knows_its_threads() ? 0 : 1);
    _exit(status_of(inside));
  }
  const int said = status_of(child);
  if (said == kNoNamespaces) GTEST_SKIP() << "no process namespaces here";
  EXPECT_EQ(said, 0);
}

}  // namespace
}  // namespace hone::os
