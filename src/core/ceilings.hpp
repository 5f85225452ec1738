#pragma once
// What a device can do at best, measured. A time below what these allow is flagged, not believed; a profile is read
// against them.

#include <map>
#include <string>
#include <vector>

#include "base/units.hpp"

namespace hone {

struct BandwidthPoint {
  Bytes footprint;
  double bytes_per_second = 0;
  bool operator==(const BandwidthPoint&) const = default;
};
struct Ceilings {
  std::string device, driver;
  std::vector<BandwidthPoint> bandwidth;  // by rising footprint: each cache level, then memory
  std::map<std::string, double> flops;    // operations per second by scalar type: "float", "double", "int", "half"
  Nanoseconds launch_overhead{0};         // of one launch more in a sequence
  Nanoseconds timer_noise{0};             // spread of the time of one and the same short kernel
  bool operator==(const Ceilings&) const = default;
};

/// The highest bandwidth that data of that size can be moved with, in bytes per second: the best measured at that
/// footprint or any larger one. 0 when nothing was measured.
double ceiling_for(const Ceilings& ceilings, Bytes footprint);
/// No kernel that must move `moved` bytes of a footprint takes less.
Nanoseconds least_time(const Ceilings& ceilings, Bytes footprint, Bytes moved);

}  // namespace hone
