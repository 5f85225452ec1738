#pragma once
// HIP C++ -> a code object of one architecture, by hipRTC. No GPU is needed for it.

#include <string>
#include <variant>
#include <vector>

#include "device/gpu/code.hpp"

namespace hone::device::hip {

/// `target`: "gfx90a", with or without its features; `names`: instances of templates, as C++ writes them.
std::variant<gpu::Code, BuildLog> compile(const std::string& source, const std::vector<std::string>& options,
                                          const std::string& target, const std::vector<std::string>& names);

}  // namespace hone::device::hip
