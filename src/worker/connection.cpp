#include "worker/connection.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/text.hpp"

namespace hone::worker {
namespace {

constexpr std::size_t kComplaints = std::size_t{8} << 10U;

void set_nonblocking(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

/// What is left to send of a frame: its head, then its blobs, without gluing them together.
class Outgoing {
 public:
  explicit Outgoing(const Frame& frame) : head_(encode_head(frame)) {
    parts_.push_back({reinterpret_cast<const std::uint8_t*>(head_.data()), head_.size()});
    for (const auto& blob : frame.blobs) parts_.emplace_back(blob);
  }
  bool done() const { return at_ == parts_.size(); }
  /// False when the other side is gone.
  bool send_some(int fd) {
    while (!done()) {
      auto& part = parts_[at_];
      const ssize_t put = ::send(fd, part.data(), part.size(), MSG_NOSIGNAL);
      if (put < 0) return errno == EAGAIN || errno == EINTR;
      part = part.subspan(static_cast<std::size_t>(put));
      if (part.empty()) ++at_;
    }
    return true;
  }

 private:
  std::string head_;
  std::vector<std::span<const std::uint8_t>> parts_;
  std::size_t at_ = 0;
};

}  // namespace

Result<Connection> Connection::open(const std::vector<std::string>& command,
                                    const std::map<std::string, std::string>& environment) {
  std::array<int, 2> stream{}, errors{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, stream.data()) != 0)
    return fail("E-PROCESS", std::string("socketpair: ") + std::strerror(errno));
  os::Fd ours(stream[0]);
  const os::Fd theirs(stream[1]);
  if (::pipe2(errors.data(), O_CLOEXEC) != 0) return fail("E-PROCESS", std::string("pipe: ") + std::strerror(errno));
  os::Fd listen(errors[0]);
  const os::Fd complain(errors[1]);
  auto child = os::Child::spawn({.words = command, .environment = environment, .folder = {}, .limits = {}},
                                theirs.get(), theirs.get(), complain.get());
  if (!child) return fail(std::move(child).error());
  set_nonblocking(ours.get());
  set_nonblocking(listen.get());
  return Connection(std::move(*child), std::move(ours), std::move(listen));
}

std::variant<Answer, WorkerLost> Connection::ask(Question question, Milliseconds limit) {
  if (lost_) return *lost_;
  const auto number = ++number_;
  auto replied = exchange(to_frame(Request{number, limit, std::move(question)}), limit);
  if (auto* gone = std::get_if<WorkerLost>(&replied)) return std::move(*gone);
  auto& reply = std::get<Reply>(replied);
  if (reply.number != number) {
    if (const auto* refused = std::get_if<Refused>(&reply.answer))
      return lost(WorkerLost::Cause::Crashed, "the worker did not understand: " + refused->message);
    return lost(WorkerLost::Cause::Crashed, "the worker answered what was not asked");
  }
  return std::move(reply.answer);
}

std::variant<Reply, WorkerLost> Connection::exchange(const Frame& frame, Milliseconds limit) {
  const os::Deadline deadline(limit);
  Outgoing outgoing(frame);
  for (;;) {
    const short wanted = outgoing.done() ? POLLIN : static_cast<short>(POLLIN | POLLOUT);
    std::array<pollfd, 2> fds = {pollfd{stream_.get(), wanted, 0}, pollfd{errors_.get(), POLLIN, 0}};
    if (::poll(fds.data(), fds.size(), deadline.poll_timeout()) < 0 && errno != EINTR)
      return lost(WorkerLost::Cause::Crashed, std::string("poll: ") + std::strerror(errno));
    if (fds[1].revents != 0) drain_errors();
    if ((fds[0].revents & POLLOUT) != 0 && !outgoing.send_some(stream_.get())) return ended();
    if ((fds[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
      auto got = receive();
      if (auto* reply = std::get_if<Reply>(&got)) return std::move(*reply);
      if (auto* gone = std::get_if<WorkerLost>(&got)) return std::move(*gone);
    }
    if (deadline.passed())
      return lost(WorkerLost::Cause::TimedOut,
                  "no answer within " + std::to_string(static_cast<long>(limit.count())) + " ms");
  }
}

std::variant<std::monostate, Reply, WorkerLost> Connection::receive() {
  std::array<std::uint8_t, 1U << 17U> block;
  const ssize_t got = ::recv(stream_.get(), block.data(), block.size(), 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return std::monostate{};
  if (got <= 0) return ended();
  std::span<const std::uint8_t> bytes(block.data(), static_cast<std::size_t>(got));
  auto frame = reader_.take(bytes);
  if (!frame) return lost(WorkerLost::Cause::Crashed, frame.error().message());
  if (!*frame) return std::monostate{};
  if (!bytes.empty()) return lost(WorkerLost::Cause::Crashed, "the worker said more than it was asked");
  auto reply = reply_from(std::move(**frame));
  if (!reply) return lost(WorkerLost::Cause::Crashed, reply.error().message());
  return std::move(*reply);
}

void Connection::drain_errors() {
  std::array<char, 1U << 14U> block;
  for (;;) {
    const ssize_t got = ::read(errors_.get(), block.data(), block.size());
    if (got == 0) errors_.close();
    if (got <= 0) return;
    complaints_.append(block.data(), static_cast<std::size_t>(got));
    if (complaints_.size() > 2 * kComplaints) complaints_.erase(0, complaints_.size() - kComplaints);
  }
}

WorkerLost Connection::ended() {
  constexpr Milliseconds kCollecting{2000};
  auto exit = child_.wait(kCollecting);
  if (errors_) drain_errors();
  if (!exit) return lost(WorkerLost::Cause::Crashed, "the worker closed its stream");
  // The enclosure around the worker tells a signal inside as shells do.
  if (exit->signal == 0 && exit->code > 128) exit->signal = exit->code - 128;
  // Nobody here sent that signal: the system ends what takes too much memory with it.
  const bool memory = exit->signal == SIGKILL;
  return lost(memory ? WorkerLost::Cause::Memory : WorkerLost::Cause::Crashed, "the worker ended: " + exit->text());
}

WorkerLost Connection::lost(WorkerLost::Cause cause, std::string reason) {
  child_.end();
  if (errors_) drain_errors();
  stream_.close();
  const auto said = trim(complaints_);
  if (!said.empty()) reason += "; it said: " + std::string(said.substr(said.size() > 400 ? said.size() - 400 : 0));
  lost_ = WorkerLost{cause, std::move(reason)};
  return *lost_;
}

}  // namespace hone::worker
