#pragma once
// A worker process and the stream to it. One request, one reply, one deadline.

#include <sys/socket.h>

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/device_session.hpp"
#include "os/clock.hpp"
#include "os/process.hpp"
#include "os/processor_use.hpp"
#include "worker/messages.hpp"

namespace hone::worker {

class Connection {
 public:
  static Result<Connection> open(const std::vector<std::string>& command,
                                 const std::map<std::string, std::string>& environment);
  /// Sends and waits. After a WorkerLost every further call is one.
  std::variant<Answer, WorkerLost> ask(Question question, Milliseconds limit);
  /// Of the worker so far, by the kernel's account.
  os::ProcessorUse processor_use() const { return os::processor_use(child_.pid()); }

 private:
  Connection(os::Child child, os::Fd stream, os::Fd errors)
      : child_(std::move(child)), stream_(std::move(stream)), errors_(std::move(errors)) {}
  std::variant<Reply, WorkerLost> exchange(const Frame& frame, Milliseconds limit);
  std::variant<std::monostate, Reply, WorkerLost> receive();
  void drain_errors();
  WorkerLost lost(WorkerLost::Cause cause, std::string reason);
  WorkerLost ended();

  os::Child child_;
  os::Fd stream_, errors_;
  FrameReader reader_;
  std::string complaints_;  // the end of what it wrote to stderr
  std::uint64_t number_ = 0;
  std::optional<WorkerLost> lost_;
};

}  // namespace hone::worker
