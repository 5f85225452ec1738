#include "worker/server/printed.hpp"

#include <fcntl.h>
#include <poll.h>
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
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
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
  pollfd more{from_.get(), POLLIN, 0};
  for (;;) {
    if (::poll(&more, 1, -1) < 0 && errno != EINTR) return;
    const std::lock_guard lock(mutex_);
    if (!read_all()) return;
  }
}

bool Printed::read_all() {
  std::array<char, 1U << 16U> block;
  for (;;) {
    const ssize_t got = ::read(from_.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got < 0 && errno == EAGAIN;
    text_.append(block.data(), std::min(static_cast<std::size_t>(got), kLongest - text_.size()));
  }
}

std::string Printed::take() {
  std::fflush(stdout);
  // What is still in the pipe belongs to the run that ended.
  const std::lock_guard lock(mutex_);
  read_all();
  return std::exchange(text_, {});
}

}  // namespace hone::worker
