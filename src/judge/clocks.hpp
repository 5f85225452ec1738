#pragma once
// Two clocks on the same runs: the device's samples and the parent's stopwatch around each request. On a CPU device a
// kernel can reach the worker's memory and so its clock, but not the parent's. What the samples of a request do not
// explain is the way there and back, the warm-up and restoring; it may not grow with the runs asked for, and it may not
// be many passes long. Both clocks see the same moments, so a busy machine slows them alike, and the requests are those
// the claim is made of, so that none can be told apart.

#include <map>
#include <vector>

#include "core/device_session.hpp"

namespace hone::judge {

class Clocks {
 public:
  void saw(std::size_t runs, const TimesTaken& taken);
  /// What each further run adds by the parent's clock beyond its sample: (W(2n) - W(n)) / n less the samples. The least
  /// of each length is taken, for a busy machine only adds. Nothing without visits of two lengths.
  Nanoseconds per_run() const;
  /// What a short visit takes beyond its samples.
  Nanoseconds per_visit() const;

 private:
  std::map<std::size_t, std::vector<Nanoseconds>> rest_;  // by runs of the visit
};

}  // namespace hone::judge
