#include "worker/server/compilers.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <span>
#include <string>
#include <thread>

#include "os/clock.hpp"
#include "os/unix_socket.hpp"

namespace hone::worker {
namespace {

constexpr Milliseconds kStarting{60'000};
constexpr Milliseconds kBuilding{60'000};
/// What takes longer is not worth warming: the judge has its own patience.
constexpr Milliseconds kLaunching{5'000};

std::optional<Frame> take(int wire, const os::Deadline& deadline) {
  FrameReader reader;
  std::array<std::uint8_t, 1U << 14U> block;
  for (;;) {
    pollfd waiting{wire, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, deadline.poll_timeout());
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return std::nullopt;
    const ssize_t got = ::recv(wire, block.data(), block.size(), 0);
    if (got <= 0) return std::nullopt;
    std::span<const std::uint8_t> bytes(block.data(), static_cast<std::size_t>(got));
    auto frame = reader.take(bytes);
    if (!frame) return std::nullopt;
    if (*frame) return std::move(*frame);
  }
}

}  // namespace

Compilers::Compilers(std::size_t count, const std::function<void(int wire)>& serve) {
  for (std::size_t i = 0; i < count; ++i) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
    os::Fd ours(ends[0]);
    const os::Fd theirs(ends[1]);
    const pid_t process = ::fork();
    if (process < 0) return;
    if (process == 0) {
      // The wires of the others and the worker's own streams must end with the worker, not with this process.
      ours.close();
      for (auto& other : all_) other.wire.close();
      const os::Fd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
      for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null.get(), fd);
      serve(theirs.get());
      ::_exit(0);
    }
    all_.push_back({process, std::move(ours), false});
  }
}

Compilers::~Compilers() {
  for (auto& one : all_) end(one);
}

void Compilers::end(One& one) {
  one.wire.close();
  if (one.process <= 0) return;
  ::kill(one.process, SIGKILL);
  ::waitpid(one.process, nullptr, 0);
  one.process = -1;
}

std::optional<Answer> Compilers::ask(One& one, Question question, Milliseconds limit) {
  if (!one.wire) return std::nullopt;
  const os::Deadline deadline(limit);
  if (os::send_all(one.wire.get(), encode(to_frame(Request{1, limit, std::move(question)}))))
    if (auto frame = take(one.wire.get(), deadline))
      if (auto reply = reply_from(std::move(*frame))) return std::move(reply->answer);
  end(one);
  return std::nullopt;
}

void Compilers::work(One& one, const Hello& hello, const Load& data,
                     const std::vector<DeviceSession::BuildRequest>& requests, std::atomic<std::size_t>& next) {
  if (!one.greeted && !ask(one, hello, kStarting)) return;
  one.greeted = true;
  if (!ask(one, data, kLaunching)) return;
  for (auto i = next++; i < requests.size() && one.wire; i = next++) {
    const auto& request = requests[i];
    const auto answer = ask(one, Build{request.source, request.options}, kBuilding);
    const auto* built = answer ? std::get_if<Built>(&*answer) : nullptr;
    if (built != nullptr && !request.launches.empty()) ask(one, Run{built->id, request.launches, {}}, kLaunching);
  }
}

void Compilers::warm(const Hello& hello, const Load& data, const std::vector<DeviceSession::BuildRequest>& requests) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> threads;
  threads.reserve(all_.size());
  for (auto& one : all_) threads.emplace_back([&] { work(one, hello, data, requests, next); });
  for (auto& thread : threads) thread.join();
}

}  // namespace hone::worker
