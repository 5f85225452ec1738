#pragma once
// The CUDA driver and NVRTC, found at run time: hone-worker starts on machines that have neither. Their headers are not
// needed to build; what is used of them is declared here, by the names the libraries export.

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "base/result.hpp"

namespace hone::device::cuda {

using Status = int;  // CUresult, 0 is success
using DeviceNumber = int;
using Address = std::uint64_t;  // CUdeviceptr
using Context = struct CudaContext*;
using Module = struct CudaModule*;
using Function = struct CudaFunction*;
using Stream = struct CudaStream*;
using Event = struct CudaEvent*;
using Program = struct NvrtcProgram*;

// Names end in _v2 where the header hides that; each may have an older or newer one that does as well.
// clang-format off
#define HONE_CUDA_FUNCTIONS(X) \
  X(cuInit, Status (*)(unsigned)) \
  X(cuDriverGetVersion, Status (*)(int*)) \
  X(cuDeviceGetCount, Status (*)(int*)) \
  X(cuDeviceGet, Status (*)(DeviceNumber*, int)) \
  X(cuDeviceGetName, Status (*)(char*, int, DeviceNumber)) \
  X(cuDeviceTotalMem_v2, Status (*)(std::size_t*, DeviceNumber)) \
  X(cuDeviceGetAttribute, Status (*)(int*, int, DeviceNumber)) \
  X(cuDevicePrimaryCtxRetain, Status (*)(Context*, DeviceNumber)) \
  X(cuDevicePrimaryCtxRelease_v2, Status (*)(DeviceNumber)) \
  X(cuCtxSetCurrent, Status (*)(Context)) \
  X(cuGetErrorName, Status (*)(Status, const char**)) \
  X(cuStreamCreate, Status (*)(Stream*, unsigned)) \
  X(cuStreamDestroy_v2, Status (*)(Stream)) \
  X(cuStreamSynchronize, Status (*)(Stream)) \
  X(cuMemAlloc_v2, Status (*)(Address*, std::size_t)) \
  X(cuMemFree_v2, Status (*)(Address)) \
  X(cuMemcpyHtoD_v2, Status (*)(Address, const void*, std::size_t)) \
  X(cuMemcpyDtoH_v2, Status (*)(void*, Address, std::size_t)) \
  X(cuMemcpyDtoDAsync_v2, Status (*)(Address, Address, std::size_t, Stream)) \
  X(cuModuleLoadDataEx, Status (*)(Module*, const void*, unsigned, int*, void**)) \
  X(cuModuleUnload, Status (*)(Module)) \
  X(cuModuleGetFunction, Status (*)(Function*, Module, const char*)) \
  X(cuModuleGetGlobal_v2, Status (*)(Address*, std::size_t*, Module, const char*)) \
  X(cuFuncGetAttribute, Status (*)(int*, int, Function)) \
  X(cuFuncSetAttribute, Status (*)(Function, int, int)) \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor, Status (*)(int*, Function, int, std::size_t)) \
  X(cuLaunchKernel, Status (*)(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream, void**, void**)) \
  X(cuEventCreate, Status (*)(Event*, unsigned)) \
  X(cuEventDestroy_v2, Status (*)(Event)) \
  X(cuEventRecord, Status (*)(Event, Stream)) \
  X(cuEventSynchronize, Status (*)(Event)) \
  X(cuEventElapsedTime, Status (*)(float*, Event, Event))

#define HONE_NVRTC_FUNCTIONS(X) \
  X(nvrtcVersion, int (*)(int*, int*)) \
  X(nvrtcGetErrorString, const char* (*)(int)) \
  X(nvrtcCreateProgram, int (*)(Program*, const char*, const char*, int, const char* const*, const char* const*)) \
  X(nvrtcDestroyProgram, int (*)(Program*)) \
  X(nvrtcAddNameExpression, int (*)(Program, const char*)) \
  X(nvrtcCompileProgram, int (*)(Program, int, const char* const*)) \
  X(nvrtcGetLoweredName, int (*)(Program, const char*, const char**)) \
  X(nvrtcGetProgramLogSize, int (*)(Program, std::size_t*)) \
  X(nvrtcGetProgramLog, int (*)(Program, char*)) \
  X(nvrtcGetPTXSize, int (*)(Program, std::size_t*)) \
  X(nvrtcGetPTX, int (*)(Program, char*))
// clang-format on

#define HONE_DECLARE(name, type) std::type_identity_t<type> name = nullptr;  // NOLINT(bugprone-macro-parentheses)
struct Driver {
  HONE_CUDA_FUNCTIONS(HONE_DECLARE)
};
struct Nvrtc {
  HONE_NVRTC_FUNCTIONS(HONE_DECLARE)
  int major = 0, minor = 0;
};
#undef HONE_DECLARE

/// From now on this process drives the emulator in place of a GPU.
void use_emulator(const std::string& library);
/// Loaded once per process. E-DEVICE: there is no libcuda.so.1, or which function it lacks.
const Result<Driver>& driver();
/// E-NVRTC: none of the known libraries is here, with what to install.
const Result<Nvrtc>& nvrtc();
/// The folder of headers that belongs to NVRTC: cuda_fp16.h and its kin; empty when it was not found.
std::string cuda_headers();

/// "CUDA_ERROR_ILLEGAL_ADDRESS (700)"
std::string status_name(Status status);
/// After it nothing works any more in this process.
bool is_sticky(Status status);

}  // namespace hone::device::cuda
