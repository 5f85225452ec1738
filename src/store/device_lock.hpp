#pragma once
// DeviceTurns by flock on a file that all runs of a user share, whatever their state folders: the kernel frees it when
// its holder dies, however it dies. Whoever waits says for whom.

#include <functional>
#include <memory>
#include <string>

#include "core/device_turns.hpp"

namespace hone::store {

struct TurnsOptions {
  std::string folder;                               // must exist
  std::function<std::string()> device;              // asked at the first turn: what tells devices apart
  std::function<void(const std::string&)> waiting;  // told once for each holder; may be empty
};
std::unique_ptr<DeviceTurns> device_turns(TurnsOptions options);

/// A folder of this user's that does not depend on where state is kept; `otherwise` when somebody else made it.
std::string common_folder(const std::string& otherwise);

}  // namespace hone::store
