#include "worker/server/serve.hpp"

#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

namespace hone::worker {
namespace {

Status write_all(int fd, const void* bytes, std::size_t size) {
  const auto* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t put = ::write(fd, at, size);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return fail("E-PROTOCOL", std::string("answering: ") + std::strerror(errno));
    at += put;
    size -= static_cast<std::size_t>(put);
  }
  return {};
}

Status send(int fd, const Frame& frame) {
  const auto head = encode_head(frame);
  if (auto sent = write_all(fd, head.data(), head.size()); !sent) return sent;
  for (const auto& blob : frame.blobs)
    if (auto sent = write_all(fd, blob.data(), blob.size()); !sent) return sent;
  return {};
}

/// Frames that were read and wait to be answered. Reading goes on while a request runs, so that the end of the other
/// side is seen.
class Inbox {
 public:
  explicit Inbox(int in) : thread_([this, in] { listen(in); }) {}
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;
  ~Inbox() { thread_.join(); }

  /// The next frame; nothing after the end.
  Result<std::optional<Frame>> next() {
    std::unique_lock lock(mutex_);
    busy_ = false;
    changed_.wait(lock, [this] { return !frames_.empty() || ended_; });
    if (frames_.empty()) {
      if (!fault_) return std::nullopt;
      return fail(*fault_);
    }
    busy_ = true;
    Frame frame = std::move(frames_.front());
    frames_.pop_front();
    changed_.notify_all();
    return frame;
  }

 private:
  void listen(int in) {
    FrameReader reader;
    std::vector<std::uint8_t> block(std::size_t{1} << 18U);
    for (;;) {
      const ssize_t got = ::read(in, block.data(), block.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return end(std::nullopt);
      std::span<const std::uint8_t> bytes(block.data(), static_cast<std::size_t>(got));
      while (!bytes.empty()) {
        auto frame = reader.take(bytes);
        if (!frame) return end(frame.error());
        if (*frame) put(std::move(**frame));
      }
    }
  }
  void put(Frame frame) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return frames_.size() < 4; });
    frames_.push_back(std::move(frame));
    changed_.notify_all();
  }
  void end(std::optional<Error> fault) {
    const std::lock_guard lock(mutex_);
    if (busy_) ::_exit(0);
    ended_ = true;
    fault_ = std::move(fault);
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Frame> frames_;
  std::optional<Error> fault_;
  bool ended_ = false, busy_ = false;
  std::thread thread_;
};

/// A backstop for the case that the parent hangs or is far away: the CPU time of a request is bounded by its wall time.
void limit_cpu_time(Milliseconds wall) {
  struct rusage used{};
  struct rlimit limit{};
  if (wall.count() <= 0 || ::getrusage(RUSAGE_SELF, &used) != 0 || ::getrlimit(RLIMIT_CPU, &limit) != 0) return;
  const double cores = std::max(1U, std::thread::hardware_concurrency());
  const double spent = static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
  const auto wanted = static_cast<rlim_t>(spent + std::min(wall.count() / 1000.0, 1e6) * cores + 10);
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? wanted : std::min(wanted, limit.rlim_max);
  ::setrlimit(RLIMIT_CPU, &limit);
}

}  // namespace

Status serve(Service& service, int in, int out) {
  Inbox inbox(in);
  for (;;) {
    auto frame = inbox.next();
    if (!frame) return fail(std::move(frame).error());
    if (!*frame) return {};
    auto request = request_from(std::move(**frame));
    Reply reply;
    if (request) {
      limit_cpu_time(request->limit);
      reply = {request->number, service.answer(std::move(request->question))};
    } else {
      reply = {0, Refused{request.error().code(), request.error().message()}};
    }
    if (auto sent = send(out, to_frame(std::move(reply))); !sent) return sent;
  }
}

}  // namespace hone::worker
