// Every attempt from inside every kind of enclosure: none gets out where the report says that the part is enforced.

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>

#include "attempts.hpp"
#include "os/process.hpp"

namespace hone::escape {
namespace {

std::atomic<int> signals_received = 0;

/// Things worth reaching, kept alive while the attempts run.
class Outside {
 public:
  Outside() {
    // A user who may not write where Hone was built has a home.
    const char* home = std::getenv("HOME");
    const bool built_here = ::access(HONE_BINARY_DIR, W_OK) == 0 || home == nullptr;
    folder_ =
        std::filesystem::path(built_here ? HONE_BINARY_DIR : home) / ("escape-bait-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    EXPECT_TRUE(os::write_text(folder_ / "secret", "secret"));
    EXPECT_TRUE(os::write_text(folder_ / "program", "#!/bin/sh\nexit 0\n"));
    // Open to everybody: only the sandbox stands between.
    ::chmod(folder_.c_str(), 0777);
    ::chmod((folder_ / "secret").c_str(), 0666);
    ::chmod((folder_ / "program").c_str(), 0777);
    ::signal(SIGUSR1, [](int) { ++signals_received; });
    ::setenv("HONE_ESCAPE_SECRET", "1", 1);
    leaked_ = ::open((folder_ / "secret").c_str(), O_RDONLY);
  }
  ~Outside() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

  std::vector<std::string> words() {
    const auto tcp = bound(SOCK_STREAM), udp = bound(SOCK_DGRAM);
    const auto path = (std::filesystem::temp_directory_path() / ("hone-bait-" + std::to_string(::getpid()))).string();
    const auto abstract = "hone-bait-" + std::to_string(::getpid());
    local(path, false);
    local(abstract, true);
    return {"folder=" + folder_.string(),          "tcp=" + tcp, "udp=" + udp, "unix=" + path, "abstract=" + abstract,
            "parent=" + std::to_string(::getpid())};
  }
  bool untouched() const {
    const auto files = os::read_folder(folder_);
    return files && files->size() == 2 && files->at("secret") == "secret";
  }

 private:
  static std::string bound(int type) {
    const int fd = ::socket(AF_INET, type | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(fd, reinterpret_cast<sockaddr*>(&address), size);
    if (type == SOCK_STREAM) ::listen(fd, 16);
    ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
    return std::to_string(ntohs(address.sin_port));
  }
  static void local(const std::string& name, bool abstract) {
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    ::unlink(name.c_str());
    name.copy(address.sun_path + (abstract ? 1 : 0), sizeof address.sun_path - 2);
    ::bind(fd, reinterpret_cast<sockaddr*>(&address),
           static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size() + 1));
    ::listen(fd, 16);
    if (!abstract) ::chmod(name.c_str(), 0777);
  }
  std::filesystem::path folder_;
  int leaked_ = -1;
};

class Escape : public ::testing::TestWithParam<const char*> {};

TEST_P(Escape, NoAttemptSucceedsWhereThePartIsEnforced) {
  Outside outside;
  const auto bait = outside.words();
  std::size_t held = 0;
  std::string open;
  for (const auto& attempt : attempts()) {
    os::Command command;
    command.words = {std::string(HONE_BINARY_DIR) + "/bin/escape", std::string("--sandbox=") + GetParam(),
                     attempt.name};
    command.words.insert(command.words.end(), bait.begin(), bait.end());
    const auto tried = os::run(command, "", Milliseconds(60000));
    ASSERT_TRUE(tried) << tried.error().text();
    ASSERT_FALSE(tried->timed_out) << attempt.name;
    if (tried->exit.code == 77)
      open += std::string(" ") + attempt.name;
    else
      held += 1;
    EXPECT_NE(tried->exit.code, 1) << attempt.name << " got out of " << GetParam();
    EXPECT_TRUE(tried->exit.code == 0 || tried->exit.code == 77 || tried->exit.code > 128)
        << attempt.name << ": " << tried->exit.text() << tried->err;
    EXPECT_TRUE(outside.untouched()) << attempt.name << " changed what is outside";
  }
  EXPECT_EQ(signals_received, 0);
  std::printf("%s: %zu attempts held; not enforced here:%s\n", GetParam(), held, open.empty() ? " none" : open.c_str());
  if (held == 0) GTEST_SKIP() << GetParam() << " cannot be had here";
}
INSTANTIATE_TEST_SUITE_P(Enclosures, Escape, ::testing::Values("bubblewrap", "namespaces", "none"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace hone::escape
