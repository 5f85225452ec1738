#pragma once
// Two clocks on the same runs: the device's samples and the parent's stopwatch around each request. On a CPU device a
// kernel can reach the worker's memory and so its clock, but not the parent's. What the samples of a request do not
// explain is the way there and back, the warm-up and restoring; it may not grow with the runs asked for, and it may not
// be many passes long. Both clocks see the same moments, so a busy machine slows them alike, and the requests are those
// the claim is made of, so that none can be told apart.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/device_session.hpp"

namespace hone::judge {

class Clocks {
 public:
  void saw(std::size_t runs, const TimesTaken& taken);

  struct Excess {
    /// What each further run adds: (W(2n) - W(n)) / n. The least of each length is taken, for a busy machine only adds.
    /// Nothing without visits of two lengths.
    Nanoseconds per_run{0};
    Nanoseconds per_visit{0};  // a short one
    bool within(const Excess& limit) const { return per_run <= limit.per_run && per_visit <= limit.per_visit; }
    Excess operator-(const Excess& other) const;
  };
  /// By the parent's clock, beyond the samples.
  Excess unsampled() const { return excess_of(rest_); }
  /// Processor time by the kernel's account, samples and all. Waiting for a busy machine is not in it.
  Excess processor() const { return excess_of(cpu_); }

 private:
  using ByRuns = std::map<std::size_t, std::vector<Nanoseconds>>;
  static Excess excess_of(const ByRuns& times);
  ByRuns rest_, cpu_;  // by runs of the visit
};

/// What is known when a challenger's clock is doubted.
struct Clocked {
  const Clocks& challenger;
  const Clocks& incumbent;  // at the same time on the same machine, and trusted
  const Clocks& restoring;  // requests without launches in the incumbent's worker
  Nanoseconds claimed{0};   // a pass, by the challenger's samples
  std::size_t runs = 1, launches = 1;
  std::size_t processors = 0;  // of a device that is the host's processor; 0: another device
};

/// What the parent's clock says against the samples, in words; nothing when they agree. On a machine so busy that
/// restoring waits, or that the incumbent's clocks disagree too, the processor time decides.
std::optional<std::string> disagreement(const Clocked& seen);

}  // namespace hone::judge
