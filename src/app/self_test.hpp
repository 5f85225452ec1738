#pragma once
// hone devices --self-test: everything a worker can be asked, asked of one device, with answers that are known. For a
// first run on hardware nobody here has seen: one page that can be pasted into a report, in under a minute.

#include <string>
#include <vector>

#include "app/setting.hpp"
#include "core/device_session.hpp"

namespace hone::app {

struct SelfTestStep {
  std::string name;     // "a sum in local memory"
  std::string problem;  // empty: as it should be
  std::string note;     // what was seen, for people
};

struct SelfTest {
  DeviceInfo device;
  std::vector<SelfTestStep> steps;
  bool passed() const;
};

/// E-DEVICE and its kin when the device cannot be opened at all.
Result<SelfTest> self_test(const DeviceChoice& choice, const std::string& device);
std::string in_words(const SelfTest& test);

}  // namespace hone::app
