#pragma once
// What compilers say about the kernels they compiled, as numbers: registers, spill_stores, spill_loads (bytes),
// local_bytes (static shared memory), private_bytes (of a thread).

#include <string>
#include <vector>

#include "core/device_session.hpp"

namespace hone::device {

/// Of "ptxas -v". Each kernel has its own lines: what is said of functions it calls is not its own.
std::vector<KernelResources> ptxas_report(const std::string& log);
/// Of clang's "-Rpass-analysis=kernel-resource-usage".
std::vector<KernelResources> amd_report(const std::string& log);

}  // namespace hone::device
