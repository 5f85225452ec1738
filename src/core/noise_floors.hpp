#pragma once
// How well two times can be told apart on a device, as a share of the time. Measured once for a device and a state of
// its machine; store/ keeps it across runs.

#include <optional>

namespace hone {

class NoiseFloors {
 public:
  virtual ~NoiseFloors() = default;
  /// Nothing when none was measured in this state of the machine.
  virtual std::optional<double> known() = 0;
  virtual void keep(double floor) = 0;
};

}  // namespace hone
