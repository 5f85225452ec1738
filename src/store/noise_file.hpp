#pragma once
// The noise floor of a device, kept in the state folder with its date and the load of the machine when it was measured.
// It is measured again after a day, after a restart, and when the load is another.

#include <functional>
#include <string>

#include "core/device_session.hpp"
#include "core/noise_floors.hpp"

namespace hone::store {

/// What the floor depends on besides the device.
struct MachineState {
  double load = 0;     // programs that want to run, a processor
  std::string boot;    // names the time since the machine was started
  double seconds = 0;  // since 1970
};
MachineState machine_state();

class NoiseFile final : public NoiseFloors {
 public:
  /// `device` is asked when a floor is: it may not be open yet.
  NoiseFile(std::string state_folder, std::function<DeviceInfo()> device,
            std::function<MachineState()> machine = machine_state)
      : folder_(std::move(state_folder)), device_(std::move(device)), machine_(std::move(machine)) {}
  std::optional<double> known() override;
  void keep(double floor) override;

 private:
  std::string file() const;
  std::string folder_;
  std::function<DeviceInfo()> device_;
  std::function<MachineState()> machine_;
};

}  // namespace hone::store
