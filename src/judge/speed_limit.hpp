#pragma once
// The least time in which a device moves some bytes. Times below it are not believed.

#include <optional>

#include "base/units.hpp"

namespace hone::judge {

class SpeedLimit {
 public:
  virtual ~SpeedLimit() = default;
  /// At the best bandwidth known for data of that size; nothing when none is known.
  virtual std::optional<Nanoseconds> least_time(Bytes moved) = 0;
  /// The same, measured now: what is known may have been measured while others used the device.
  virtual std::optional<Nanoseconds> least_time_now(Bytes moved) = 0;
};

}  // namespace hone::judge
