#pragma once
// The CUDA driver and NVRTC, found at run time: hone-worker starts on machines that have neither. Their headers are not
// needed to build: what is used of them is declared in gpu/, by the names the libraries export.

#include <string>

#include "base/result.hpp"
#include "device/gpu/driver.hpp"
#include "device/gpu/rtc.hpp"

namespace hone::device::cuda {

using gpu::DeviceNumber;
using gpu::Driver;
using gpu::Status;
using Nvrtc = gpu::Rtc;

/// From now on this process drives the emulator in place of a GPU.
void use_emulator(const std::string& library);
/// Loaded once per process. E-DEVICE: there is no libcuda.so.1, or which function it lacks.
const Result<Driver>& driver();
/// E-NVRTC: none of the known libraries is here, with what to install.
const Result<Nvrtc>& nvrtc();
/// The folder of headers that belongs to NVRTC: cuda_fp16.h and its kin; empty when it was not found.
std::string cuda_headers();

/// Calls of this thread go to that device from now on.
Status use_device(DeviceNumber number);
/// "CUDA_ERROR_ILLEGAL_ADDRESS (700)"
std::string status_name(Status status);

}  // namespace hone::device::cuda
