#pragma once
// K(0) on a device while its MEP is being completed. Whatever it does there, completion goes on: a worker that is lost
// is replaced, and why a run failed comes back in words.

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "core/launches.hpp"
#include "mep/draft.hpp"

namespace hone::mep {

struct Measured {
  Milliseconds pass{0}, noise{0};  // the noise of the timer: how far the fastest passes of a tiny problem lie apart
  Bytes data;
};

struct Attempt {
  std::optional<Ran> ran;
  std::string reason;  // why it did not run
  bool too_slow = false;
  /// Neither lost nor outside of its buffers.
  bool clean() const { return ran && ran->broken_guards.empty() && ran->strayed.empty(); }
};

class Trial {
 public:
  Trial(const Limits& limits, DeviceSessions& devices, Draft& draft)
      : limits_(limits), devices_(devices), draft_(draft) {}

  /// E-BUILD when K(0) does not build alone.
  Status prepare();
  /// `watched`: with wide room around every buffer, so that reads outside of it are seen and do no harm.
  Attempt run(const Workload& workload, bool watched, Milliseconds limit);
  /// Once more on the data that is there.
  Attempt again(const Workload& workload);
  Result<Measured> time(const Workload& workload, Milliseconds limit);
  const DeviceInfo& device() const { return device_; }
  /// Completion has taken long enough: what is good enough is kept.
  bool late() const;

 private:
  Result<Problem> load(const Workload& workload, bool watched, Milliseconds limit, Attempt& attempt);
  Status build(const std::vector<std::string>& options);
  void lose() { session_.reset(); }

  const Limits& limits_;
  DeviceSessions& devices_;
  Draft& draft_;
  std::unique_ptr<DeviceSession> session_;
  DeviceInfo device_;
  std::string id_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Of all buffers and images at these sizes.
Bytes data_of(const Draft& draft, const Sizes& sizes);

/// The draft's launches with these sizes.
Workload workload_of(const Draft& draft, const std::string& name, Role role, const Sizes& sizes);

/// Contents and extents with which K(0) stays inside of its buffers at these sizes: those of the draft, or the first
/// others that do. E-COMPLETE with all that was tried when none do.
Status mend(Trial& trial, Draft& draft, const Sizes& sizes);

/// Contents on which K(0) neither blows up nor computes one and the same number everywhere; said when there are none.
Status settle_contents(Trial& trial, Draft& draft, Workload& tune);

}  // namespace hone::mep
