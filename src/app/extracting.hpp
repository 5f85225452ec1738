#pragma once
// From an application to a MEP folder on disk, for `hone extract` and for agents.

#include "app/completion.hpp"

namespace hone::app {

Result<Answer> extract(const CompletionRequest& request, const std::string& output, Console& console);

}  // namespace hone::app
