#pragma once
// The emulator's driver functions, linked into the same library: the runtime stands on them as the real one does on its
// driver. Numbers of errors are the same in both.

#include <cstddef>
#include <cstdint>

extern "C" {
int cuInit(unsigned flags);
int cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes);
int cuMemFree_v2(std::uint64_t address);
int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes);
int cuModuleLoadDataEx(void** module, const void* image, unsigned options, int* names, void** values);
int cuModuleGetFunction(void** function, void* module, const char* name);
int cuModuleGetGlobal_v2(std::uint64_t* address, std::size_t* bytes, void* module, const char* name);
int cuFuncGetAttribute(int* value, int attribute, void* function);
int cuFuncSetAttribute(void* function, int attribute, int value);
int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void* stream, void** parameters, void** extra);
int cuCtxSynchronize();
int cuDeviceGetAttribute(int* value, int attribute, int device);
int cuDeviceTotalMem_v2(std::size_t* bytes, int device);
int cuDeviceGetName(char* name, int length, int device);
int cuGetErrorName(int error, const char** text);
int cuEventCreate(void** event, unsigned flags);
int cuEventDestroy_v2(void* event);
int cuEventRecord(void* event, void* stream);
int cuEventElapsedTime(float* milliseconds, void* from, void* to);
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void* function, int threads, std::size_t shared);
}

namespace standin {
enum Status : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kInvalidConfiguration = 9,
  kInvalidSymbol = 13,
  kInvalidFunction = 98,
  kNotReady = 600,
  kNotSupported = 801,
};
}
