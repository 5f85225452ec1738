#pragma once
// hone check X.mep --for sm_86: compiles for a GPU that is not here and tells what its kernels need of it.

#include <string>

#include "app/commands.hpp"
#include "app/setting.hpp"

namespace hone::app {

/// `candidate`: a template folder whose default configuration is compiled instead of the original; may be empty.
Result<Answer> check_for(const Mep& mep, const std::string& architecture, const std::string& candidate,
                         const DeviceChoice& device);

}  // namespace hone::app
