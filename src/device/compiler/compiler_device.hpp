#pragma once
// A device that only compiles, for a GPU that is not here: "sm_86" by NVRTC, "gfx90a" by hipcc. Its builds tell the
// resources of each kernel as the compiler reports them; nothing can be loaded or run.

#include <memory>
#include <string>

#include "device/device.hpp"

namespace hone::device {

/// E-ARCH: no compiler here knows that architecture. E-NVRTC, E-HIPCC: there is no compiler.
Result<std::unique_ptr<Device>> open_compiler(const std::string& architecture);

}  // namespace hone::device
