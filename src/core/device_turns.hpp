#pragma once
// Two things timed on one device at once measure each other. Whoever times holds the device's turn; between several
// hone processes on a machine store/ keeps it by a lock file.

#include <memory>

#include "base/result.hpp"

namespace hone {

/// Held while it lives.
class Turn {
 public:
  virtual ~Turn() = default;
};

class DeviceTurns {
 public:
  virtual ~DeviceTurns() = default;
  /// Waits until the device is free.
  virtual Result<std::unique_ptr<Turn>> take() = 0;
};

}  // namespace hone
