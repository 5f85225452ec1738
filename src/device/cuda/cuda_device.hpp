#pragma once
// NVIDIA's GPUs through the CUDA driver, behind the Device interface.

#include "device/backend.hpp"

namespace hone::device {

extern const Backend cuda_backend;

inline constexpr std::string_view kEmulatorId = "emulator:cuda", kHipEmulatorId = "emulator:hip";
/// CUDA kernels on this processor, or HIP's with its words in CUDA's: answers, and no times that mean anything. It is
/// never listed and never chosen by default. E-DEVICE: it was not built, or lies in no place where it is looked for.
Result<std::unique_ptr<Device>> open_emulator(std::string_view id);

}  // namespace hone::device
