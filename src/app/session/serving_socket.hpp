#pragma once
// Where a MEP is served when nobody says where: one place for each folder, so that `hone call` finds it.

#include <string>

#include "base/result.hpp"

namespace hone::app {

Result<std::string> serving_socket(const std::string& mep);

}  // namespace hone::app
