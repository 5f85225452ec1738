#include "os/process.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include "os/clock.hpp"
#include "os/processor_use.hpp"

namespace hone::os {
namespace {

constexpr Milliseconds kLong{60000};
Command shell(const std::string& script) {
  return {.words = {"sh", "-c", script}, .environment = {}, .folder = {}, .limits = {}};
}

TEST(Process, InputGoesInAndBothOutputsComeBack) {
  const auto done = run(shell("cat; echo bad >&2; exit 3"), "hello", kLong);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->out, "hello");
  EXPECT_EQ(done->err, "bad\n");
  EXPECT_EQ(done->exit.text(), "exit 3");
}

TEST(Process, MoreInputThanAPipeHoldsIsExchangedWithoutDeadlock) {
  const std::string big(std::size_t{3} << 20U, 'x');
  const auto done = run(shell("cat"), big, kLong);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->out.size(), big.size());
}

TEST(Process, AProgramThatDoesNotReadItsInputIsNoError) {
  const auto done = run(shell("exit 0"), std::string(std::size_t{1} << 20U, 'x'), kLong);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->exit.code, 0);
}

TEST(Process, AHangIsEndedWithWhatItStarted) {
  const auto done = run(shell("sleep 1000 & echo $!; wait"), "", Milliseconds(300));
  ASSERT_TRUE(done);
  EXPECT_TRUE(done->timed_out);
  const int grandchild = std::stoi(done->out);
  // It was killed with the group; its new parent may still have to collect it.
  const Deadline deadline(kLong);
  while (::kill(grandchild, 0) == 0 && !deadline.passed()) {
    const auto state = read_text("/proc/" + std::to_string(grandchild) + "/stat");
    if (!state || state->find(") Z ") != std::string::npos) return;
  }
  EXPECT_FALSE(deadline.passed());
}

TEST(Process, ASignalIsTold) {
  const auto done = run(shell("kill -SEGV $$"), "", kLong);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->exit.signal, SIGSEGV);
}

TEST(Process, AMissingProgramIsAnErrorThatNamesIt) {
  const auto done = run({.words = {"/nowhere/prog"}, .environment = {}, .folder = {}, .limits = {}}, "", kLong);
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message().find("/nowhere/prog"), std::string::npos);
}

TEST(Process, EnvironmentFolderAndLimitsReachTheProgram) {
  Command command = shell("echo $WORD; pwd; ulimit -f");
  command.environment = {{"WORD", "hi"}};
  command.folder = "/";
  command.limits.file_bytes = 1024 * 1024;
  const auto done = run(command, "", kLong);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->out, "hi\n/\n2048\n");
}

TEST(Process, OutputIsCutAtItsLimit) {
  const auto done = run(shell("head -c 100000 /dev/zero"), "", kLong, 1000);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->out.size(), 1000U);
}

TEST(Process, ProcessorTimeCountsWhatItsChildrenSpend) {
  auto child = Child::spawn(shell("while :; do :; done & wait"), -1, -1, -1);  // the shell itself only waits
  ASSERT_TRUE(child);
  const Deadline deadline(kLong);
  while (processor_use(child->pid()).ran < Milliseconds(100) && !deadline.passed()) (void)child->wait(Milliseconds(5));
  EXPECT_GE(processor_use(child->pid()).ran, Milliseconds(100));
  const pid_t pid = child->pid();
  child->end();
  EXPECT_EQ(processor_use(pid).ran, Nanoseconds(0)) << "it is gone";
}

}  // namespace
}  // namespace hone::os
