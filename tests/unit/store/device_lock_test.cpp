#include "store/device_lock.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace hone::store {
namespace {

std::string folder() { return std::filesystem::temp_directory_path().string(); }

std::unique_ptr<DeviceTurns> turns(const std::string& device, const std::string& where = folder(),
                                   std::function<void(const std::string&)> waiting = {}) {
  return device_turns({where, [device] { return device; }, std::move(waiting)});
}

/// A process that holds the device's turn until it is killed.
pid_t holder(const std::string& device, const std::string& where = folder()) {
  int channel[2];
  EXPECT_EQ(pipe(channel), 0);
  const pid_t child = fork();
  if (child == 0) {
    auto turn = turns(device, where)->take();
    (void)!write(channel[1], "x", 1);
    pause();
    _exit(0);
  }
  char byte = 0;
  EXPECT_EQ(read(channel[0], &byte, 1), 1);
  close(channel[0]);
  close(channel[1]);
  return child;
}

bool can_take(const std::string& device) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(1);  // ends the wait of a turn that never comes
    _exit(turns(device)->take() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(DeviceLock, IsHeldAgainstOtherProcessesUntilItsHolderDies) {
  const auto device = "test-" + std::to_string(getpid());
  const pid_t other = holder(device);
  EXPECT_FALSE(can_take(device));
  EXPECT_TRUE(can_take(device + "-another"));
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
  EXPECT_TRUE(can_take(device));
}

TEST(DeviceLock, WhoWaitsSaysForWhomAndSinceWhen) {
  const auto device = "test-waiting-" + std::to_string(getpid());
  const pid_t other = holder(device);
  std::string said;
  // The holder ends once the wait for it was announced.
  const auto turn = turns(device, folder(), [&](const std::string& line) {
                      said = line;
                      kill(other, SIGKILL);
                      waitpid(other, nullptr, 0);
                    })->take();
  EXPECT_TRUE(turn);
  EXPECT_NE(said.find("process " + std::to_string(other) + " ("), std::string::npos) << said;
  EXPECT_NE(said.find("test_store"), std::string::npos) << said;
  EXPECT_NE(said.find("since "), std::string::npos) << said;
}

TEST(DeviceLock, WhoWaitsNeverNamesItself) {
  const auto device = "test-own-name-" + std::to_string(getpid());
  const auto where = folder() + "/" + device;
  std::filesystem::create_directory(where);
  const pid_t other = holder(device, where);
  // As a holder leaves it that has not yet written its own name over the one that waits.
  for (const auto& file : std::filesystem::directory_iterator(where))
    if (file.path().extension() == ".lock") std::ofstream(file.path()) << getpid() << " (test_store), since 12:00:00";
  std::string said;
  const auto turn = turns(device, where, [&](const std::string& line) {
                      said = line;
                      kill(other, SIGKILL);
                      waitpid(other, nullptr, 0);
                    })->take();
  EXPECT_TRUE(turn);
  EXPECT_NE(said.find("process unknown"), std::string::npos) << said;
  std::filesystem::remove_all(where);
}

TEST(DeviceLock, IsTheSameWhateverTheStateFolder) {
  const auto common = common_folder("/nowhere");
  EXPECT_EQ(common, common_folder("/elsewhere"));
  EXPECT_NE(common.find(std::to_string(getuid())), std::string::npos) << "another user's files are not in the way";
}

TEST(DeviceLock, SaysWhenTheFolderCannotBeWritten) {
  const auto turn = turns("cpu", "/proc/hone")->take();
  ASSERT_FALSE(turn);
  EXPECT_EQ(turn.error().code(), "E-TURN");
}

}  // namespace
}  // namespace hone::store
