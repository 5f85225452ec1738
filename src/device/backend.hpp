#pragma once
// A kind of device as one row: the word its ids begin with, how its devices are listed and opened, and what to do where
// there is none. Adding a kind is a folder with its row and one line in device.cpp.

#include "device/device.hpp"

namespace hone::device {

struct Backend {
  std::string_view prefix;  // of ids: "opencl"
  std::vector<DeviceInfo> (*list)();
  /// `id` is one of those listed.
  Result<std::unique_ptr<Device>> (*open)(const std::string& id);
  /// Where nothing is listed: what this machine lacks, and what to type.
  Error (*missing)();
};

}  // namespace hone::device
