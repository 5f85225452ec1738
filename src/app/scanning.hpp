#pragma once
// The kernels of an application, for `hone scan` and for agents.

#include "app/console.hpp"

namespace hone::app {

Result<Answer> scan_application(const std::string& folder, Console& console);

}  // namespace hone::app
