#pragma once
// What the drivers of NVIDIA's and AMD's GPUs have in common: the same calls by two names each. A vendor's folder loads
// them and says what is left: how a device is opened, what its errors are called.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.hpp"

namespace hone::device::gpu {

using Status = int;  // CUresult, hipError_t; 0 is success
using DeviceNumber = int;
using Address = std::uint64_t;  // CUdeviceptr, hipDeviceptr_t
using Module = struct GpuModule*;
using Function = struct GpuFunction*;
using Stream = struct GpuStream*;
using Event = struct GpuEvent*;

// Names end in _v2 where the header of CUDA hides that; each may have an older or newer one that does as well.
// clang-format off
#define HONE_GPU_FUNCTIONS(X) \
  X(init, "cuInit", "hipInit", Status (*)(unsigned)) \
  X(version, "cuDriverGetVersion", "hipDriverGetVersion", Status (*)(int*)) \
  X(count_devices, "cuDeviceGetCount", "hipGetDeviceCount", Status (*)(int*)) \
  X(device, "cuDeviceGet", "hipDeviceGet", Status (*)(DeviceNumber*, int)) \
  X(device_name, "cuDeviceGetName", "hipDeviceGetName", Status (*)(char*, int, DeviceNumber)) \
  X(device_memory, "cuDeviceTotalMem_v2", "hipDeviceTotalMem", Status (*)(std::size_t*, DeviceNumber)) \
  X(device_attribute, "cuDeviceGetAttribute", "hipDeviceGetAttribute", Status (*)(int*, int, DeviceNumber)) \
  X(new_stream, "cuStreamCreate", "hipStreamCreateWithFlags", Status (*)(Stream*, unsigned)) \
  X(end_stream, "cuStreamDestroy_v2", "hipStreamDestroy", Status (*)(Stream)) \
  X(wait, "cuStreamSynchronize", "hipStreamSynchronize", Status (*)(Stream)) \
  X(allocate, "cuMemAlloc_v2", "hipMalloc", Status (*)(Address*, std::size_t)) \
  X(release, "cuMemFree_v2", "hipFree", Status (*)(Address)) \
  X(copy_in, "cuMemcpyHtoD_v2", "hipMemcpyHtoD", Status (*)(Address, const void*, std::size_t)) \
  X(copy_out, "cuMemcpyDtoH_v2", "hipMemcpyDtoH", Status (*)(void*, Address, std::size_t)) \
  X(copy_within, "cuMemcpyDtoDAsync_v2", "hipMemcpyDtoDAsync", Status (*)(Address, Address, std::size_t, Stream)) \
  X(load_module, "cuModuleLoadDataEx", "hipModuleLoadDataEx", Status (*)(Module*, const void*, unsigned, int*, void**)) \
  X(unload_module, "cuModuleUnload", "hipModuleUnload", Status (*)(Module)) \
  X(module_function, "cuModuleGetFunction", "hipModuleGetFunction", Status (*)(Function*, Module, const char*)) \
  X(module_variable, "cuModuleGetGlobal_v2", "hipModuleGetGlobal", Status (*)(Address*, std::size_t*, Module, const char*)) \
  X(function_attribute, "cuFuncGetAttribute", "hipFuncGetAttribute", Status (*)(int*, int, Function)) \
  X(blocks_of_multiprocessor, "cuOccupancyMaxActiveBlocksPerMultiprocessor", "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor", Status (*)(int*, Function, int, std::size_t)) \
  X(launch, "cuLaunchKernel", "hipModuleLaunchKernel", Status (*)(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream, void**, void**)) \
  X(new_event, "cuEventCreate", "hipEventCreateWithFlags", Status (*)(Event*, unsigned)) \
  X(end_event, "cuEventDestroy_v2", "hipEventDestroy", Status (*)(Event)) \
  X(record, "cuEventRecord", "hipEventRecord", Status (*)(Event, Stream)) \
  X(elapsed, "cuEventElapsedTime", "hipEventElapsedTime", Status (*)(float*, Event, Event))
// clang-format on

struct Driver {
#define HONE_DECLARE(name, cuda, hip, type) \
  std::type_identity_t<type> name = nullptr;  // NOLINT(bugprone-macro-parentheses)
  HONE_GPU_FUNCTIONS(HONE_DECLARE)
#undef HONE_DECLARE
  std::string_view vendor;  // "CUDA", as messages say it
  void (*close)(DeviceNumber) = nullptr;
  std::string (*error_name)(Status) = nullptr;  // "CUDA_ERROR_NOT_FOUND"
  /// More dynamic shared memory than a kernel may have unasked.
  Status (*allow_dynamic)(Function, std::size_t) = nullptr;
};

/// "CUDA_ERROR_ILLEGAL_ADDRESS (700)"
std::string status_name(const Driver& driver, Status status);
/// After it nothing works any more in this process. The two vendors share these numbers.
bool is_sticky(Status status);

/// From a loaded library, with and without the ending of a version; noted as missing when it is not there.
void* find_symbol(void* library, const std::string& name, std::vector<std::string>& missing);
enum class Vendor { Nvidia, Amd };
/// All functions of the table above; those that are missing are named.
std::vector<std::string> fill(Driver& driver, void* library, Vendor vendor);

}  // namespace hone::device::gpu
