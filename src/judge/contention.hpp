#pragma once
// On a device that is the host's processor, other programs take turns with the kernels: a long kernel is interrupted, a
// short one slips through, and the quotient of their times grows with the load. The scheduler tells for each pass how
// long its threads ran and how long they stood ready while others had the processors. The threads that were ready are
// those the pass would have kept busy, so with the processors to itself it would have taken
//
//   span * ran / (ran + waited)
//
// whatever the number of its threads, as long as the work goes to whichever thread is free. Towards the end of a pass
// that is not so: the others have nothing left while one still waits. A short pass is mostly end, so of several the
// calmer ones count.

#include <optional>
#include <vector>

#include "core/device_session.hpp"

namespace hone::judge {

struct Undisturbed {
  std::vector<Nanoseconds> passes;  // what each would have taken alone; the samples themselves where nothing is known
  std::vector<double> shares;       // of the processor time each was ready for, what it got; 1 where nothing is known
  double served = 1;                // the same for all of them
};

/// The middle of the calmer half of them; of all where none was calmer. Only what the kernel's own account says of a
/// pass can make it calm, never its time.
Nanoseconds calm_middle(const Undisturbed& alone);

/// Waiting is believed only as far as the kernel's account of the whole request bears it out: a kernel that shares the
/// worker's memory could claim any. Where the worker cannot tell the passes' own, that of the request is every pass's.
Undisturbed undisturbed_passes(const TimesTaken& taken);

/// Below, what others did to caches and to the order of things is no longer small beside the kernels' own doing.
constexpr double kLeastServed = 0.3;

}  // namespace hone::judge
