#pragma once
// Kernels that a search for the word finds and that are not listed: why. So that nothing is missed without a word.

#include <string>
#include <vector>

#include "core/format.hpp"
#include "source/scan.hpp"

namespace hone::source {

std::vector<std::string> explain_unlisted(const Files& application, const std::vector<FoundKernel>& listed);

}  // namespace hone::source
