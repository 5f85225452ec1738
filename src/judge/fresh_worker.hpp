#pragma once
// A process in which nothing has run yet, its program built while something else is being checked. A runtime's first
// build in a process takes most of a second, and the comparison waits for it otherwise.

#include <future>
#include <memory>

#include "judge/renewing_session.hpp"

namespace hone::judge {

class FreshWorker {
 public:
  /// Starts it here, since a process belongs to the thread that started it; builds it in the background.
  void begin(DeviceSessions& sessions, const Variant& variant) {
    session_ = std::make_unique<RenewingSession>(sessions);
    if (!session_->device()) return;
    building_ = std::async(std::launch::async, [session = session_.get(), variant] {
      (void)session->build(variant, false);  // whoever uses it builds it again, at no cost, and sees what went wrong
    });
  }
  /// Ready, or yet to be started.
  std::unique_ptr<RenewingSession> take(DeviceSessions& sessions) {
    if (building_.valid()) building_.get();
    return session_ != nullptr ? std::move(session_) : std::make_unique<RenewingSession>(sessions);
  }

 private:
  std::unique_ptr<RenewingSession> session_;
  std::future<void> building_;  // ends before the session it builds in
};

/// One for each side of a comparison, built at the same time. K(0)'s side needs none: see Judge::confirm.
struct FreshPair {
  FreshWorker challenger, incumbent;
};

}  // namespace hone::judge
