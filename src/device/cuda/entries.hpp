#pragma once
// What PTX says about the kernels in it: their names and what they take.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "device/gpu/code.hpp"

namespace hone::device::cuda {

std::vector<gpu::Entry> entries_of(std::string_view ptx);
/// Variables of the module by their names in the source, with the names it exports.
std::map<std::string, std::string> variables_of(std::string_view ptx);

}  // namespace hone::device::cuda
