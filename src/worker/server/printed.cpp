#include "worker/server/printed.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace hone::worker {

Result<std::unique_ptr<Printed>> Printed::start() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail("E-PROCESS", std::string("pipe: ") + std::strerror(errno));
  std::unique_ptr<Printed> printed(new Printed(os::Fd(ends[0])));
  const os::Fd into(ends[1]);
  if (::dup2(into.get(), STDOUT_FILENO) < 0) return fail("E-PROCESS", std::string("dup2: ") + std::strerror(errno));
  printed->thread_ = std::thread([raw = printed.get()] { raw->drain(); });
  return printed;
}

Printed::~Printed() {
  // The pipe ends when its last writer does.
  const os::Fd null(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  std::fflush(stdout);
  ::dup2(null.get(), STDOUT_FILENO);
  if (thread_.joinable()) thread_.join();
}

void Printed::drain() {
  std::array<char, 1U << 16U> block;
  for (;;) {
    const ssize_t got = ::read(from_.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    const std::lock_guard lock(mutex_);
    text_.append(block.data(), std::min(static_cast<std::size_t>(got), kLongest - text_.size()));
  }
}

std::string Printed::take() {
  std::fflush(stdout);
  // What is still in the pipe belongs to the run that ended: wait until the thread has it.
  int left = 0;
  while (::ioctl(from_.get(), FIONREAD, &left) == 0 && left > 0) std::this_thread::yield();
  const std::lock_guard lock(mutex_);
  return std::exchange(text_, {});
}

}  // namespace hone::worker
