#pragma once
// The HIP runtime and hipRTC, found at run time: hone-worker starts on machines that have neither. Their headers are
// not needed to build.

#include <string>

#include "base/result.hpp"
#include "device/gpu/driver.hpp"
#include "device/gpu/rtc.hpp"

namespace hone::device::hip {

using gpu::DeviceNumber;
using gpu::Driver;
using gpu::Status;
using Hiprtc = gpu::Rtc;

/// Loaded once per process. E-DEVICE: there is no libamdhip64.so, or which function it lacks.
const Result<Driver>& driver();
/// Of the same release as the runtime: before ROCm 6 it may be part of that library. E-HIPRTC says what is missing.
const Result<Hiprtc>& hiprtc();

/// Calls of this thread go to that device from now on.
Status use_device(DeviceNumber number);
/// "gfx90a:sramecc+:xnack-": what to compile for.
std::string target_of(DeviceNumber number);
/// "hipErrorIllegalAddress (700)"
std::string status_name(Status status);

}  // namespace hone::device::hip
