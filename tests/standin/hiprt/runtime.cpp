// The HIP runtime's functions as far as hone-worker asks for them, over the emulator, for tests: libamdhip64.so.6 with
// hipRTC in it. Numbers of errors are those of the emulator's driver where HIP has them.
//
//   HIP_STANDIN_DEVICES  how many devices there are; 1 when absent
// and those of src/emulator/cuda_driver.cpp.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <string_view>

#include "standin/cudart/driver.hpp"
#include "standin/hiprt/code_object.hpp"

extern "C" {
int cuDeviceGetCount(int* count);
int cuStreamCreate(void** stream, unsigned flags);
int cuStreamDestroy_v2(void* stream);
int cuStreamSynchronize(void* stream);
int cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes);
int cuMemcpyDtoDAsync_v2(std::uint64_t to, std::uint64_t from, std::size_t bytes, void* stream);
int cuModuleUnload(void* module);
}

#define RUNTIME extern "C" __attribute__((visibility("default")))

namespace {

constexpr int kNoDevice = 100, kInvalidImage = 200, kMisaligned = 716, kLaunchFailure = 719;

int devices() {
  const char* text = std::getenv("HIP_STANDIN_DEVICES");
  return text == nullptr ? 1 : std::atoi(text);
}

/// HIP has no word for a misaligned address.
int in_hip(int status) { return status == kMisaligned ? kLaunchFailure : status; }

}  // namespace

RUNTIME int hipInit(unsigned flags) {
  cuInit(flags);
  return devices() == 0 ? kNoDevice : 0;
}
RUNTIME int hipDriverGetVersion(int* version) {
  *version = 60'200'000;
  return 0;
}
RUNTIME int hipGetDeviceCount(int* count) {
  *count = devices();
  return *count == 0 ? kNoDevice : 0;
}
RUNTIME int hipDeviceGet(int* out, int ordinal) {
  *out = ordinal;
  return 0;
}
RUNTIME int hipGetDevice(int* out) {
  *out = 0;
  return 0;
}
RUNTIME int hipDeviceGetName(char* name, int length, int device) { return cuDeviceGetName(name, length, device); }
RUNTIME int hipDeviceTotalMem(std::size_t* bytes, int device) { return cuDeviceTotalMem_v2(bytes, device); }
RUNTIME int hipDeviceGetAttribute(int* value, int attribute, int device) {
  // The numbers of HIP, then those of CUDA.
  static const std::map<int, int> theirs = {{5, 13},  {19, 38}, {56, 1}, {57, 39}, {63, 16},
                                            {71, 12}, {74, 97}, {83, 9}, {87, 10}, {10002, 81}};
  const auto found = theirs.find(attribute);
  if (found == theirs.end()) return standin::kInvalidValue;
  return cuDeviceGetAttribute(value, found->second, device);
}
RUNTIME int hipSetDevice(int) { return 0; }

/// The structure since release 6; what the plain name fills is the one before.
RUNTIME int hipGetDevicePropertiesR0600(void* out, int) {
  std::memset(out, 0, 1472);
  std::snprintf(static_cast<char*>(out) + 1160, 256, "gfx1030");
  return 0;
}
RUNTIME int hipGetDeviceProperties(void* out, int) {
  std::memset(out, 0, 792);
  std::snprintf(static_cast<char*>(out) + 396, 256, "gfx-of-the-old-structure");
  return 0;
}

RUNTIME const char* hipGetErrorName(int status) {
  static const std::map<int, const char*> names = {
      {1, "hipErrorInvalidValue"}, {2, "hipErrorOutOfMemory"},      {3, "hipErrorNotInitialized"},
      {100, "hipErrorNoDevice"},   {101, "hipErrorInvalidDevice"},  {200, "hipErrorInvalidImage"},
      {500, "hipErrorNotFound"},   {700, "hipErrorIllegalAddress"}, {701, "hipErrorLaunchOutOfResources"},
      {710, "hipErrorAssert"},     {719, "hipErrorLaunchFailure"},  {801, "hipErrorNotSupported"}};
  const auto found = names.find(status);
  return found == names.end() ? "hipErrorUnknown" : found->second;
}

RUNTIME int hipStreamCreateWithFlags(void** stream, unsigned flags) { return in_hip(cuStreamCreate(stream, flags)); }
RUNTIME int hipStreamDestroy(void* stream) { return in_hip(cuStreamDestroy_v2(stream)); }
RUNTIME int hipStreamSynchronize(void* stream) { return in_hip(cuStreamSynchronize(stream)); }
RUNTIME int hipMalloc(std::uint64_t* address, std::size_t bytes) { return in_hip(cuMemAlloc_v2(address, bytes)); }
RUNTIME int hipFree(std::uint64_t address) { return in_hip(cuMemFree_v2(address)); }
RUNTIME int hipMemcpyHtoD(std::uint64_t to, const void* from, std::size_t bytes) {
  return in_hip(cuMemcpyHtoD_v2(to, from, bytes));
}
RUNTIME int hipMemcpyDtoH(void* to, std::uint64_t from, std::size_t bytes) {
  return in_hip(cuMemcpyDtoH_v2(to, from, bytes));
}
RUNTIME int hipMemcpyDtoDAsync(std::uint64_t to, std::uint64_t from, std::size_t bytes, void* stream) {
  return in_hip(cuMemcpyDtoDAsync_v2(to, from, bytes, stream));
}

RUNTIME int hipModuleLoadDataEx(void** module, const void* image, unsigned, int*, void**) {
  const auto ptx = standin::ptx_in(image);
  return ptx.empty() ? kInvalidImage : in_hip(cuModuleLoadDataEx(module, ptx.c_str(), 0, nullptr, nullptr));
}
RUNTIME int hipModuleUnload(void* module) { return in_hip(cuModuleUnload(module)); }
RUNTIME int hipModuleGetFunction(void** function, void* module, const char* name) {
  return in_hip(cuModuleGetFunction(function, module, name));
}
RUNTIME int hipModuleGetGlobal(std::uint64_t* address, std::size_t* bytes, void* module, const char* name) {
  return in_hip(cuModuleGetGlobal_v2(address, bytes, module, name));
}
/// What a device has of shared memory is given unasked.
RUNTIME int hipFuncGetAttribute(int* value, int attribute, void* function) {
  constexpr int kDynamic = 8, kDynamicOfCuda = 8, kOptIn = 97;
  if (attribute != kDynamic) return in_hip(cuFuncGetAttribute(value, attribute, function));
  cuDeviceGetAttribute(value, kOptIn, 0);
  return in_hip(cuFuncSetAttribute(function, kDynamicOfCuda, *value));
}
#ifndef STANDIN_OLD
RUNTIME int hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void* function, int threads,
                                                               std::size_t shared) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared);
}
#endif
RUNTIME int hipModuleLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                  unsigned bz, unsigned shared, void* stream, void** parameters, void** extra) {
  return in_hip(cuLaunchKernel(function, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra));
}
RUNTIME int hipEventCreateWithFlags(void** event, unsigned flags) { return in_hip(cuEventCreate(event, flags)); }
RUNTIME int hipEventDestroy(void* event) { return in_hip(cuEventDestroy_v2(event)); }
RUNTIME int hipEventRecord(void* event, void* stream) { return in_hip(cuEventRecord(event, stream)); }
RUNTIME int hipEventElapsedTime(float* milliseconds, void* from, void* to) {
  return in_hip(cuEventElapsedTime(milliseconds, from, to));
}
