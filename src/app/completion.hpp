#pragma once
// From an application to a MEP: taken out, completed, and as a folder that runs without Hone.

#include <string>
#include <vector>

#include "app/console.hpp"
#include "app/setting.hpp"
#include "core/format.hpp"
#include "core/origin.hpp"
#include "core/time_spent.hpp"

namespace hone::app {

struct CompletionRequest {
  std::string application, kernel;
  std::vector<std::string> defines;
  DeviceChoice device;
};

struct Completed {
  Mep mep;
  Origin origin;
  Files folder;
  std::vector<std::string> notes;
};

Result<Completed> complete_application(const CompletionRequest& request, Console& console, TimeLedger& ledger);

}  // namespace hone::app
