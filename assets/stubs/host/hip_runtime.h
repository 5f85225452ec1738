/* HIP's runtime as far as reading host code needs it: CUDA's with other names. */
#pragma once
#include "/hone-stubs/host/cuda_runtime.h"
#define HIP_KERNEL_NAME(...) __VA_ARGS__
typedef cudaError_t hipError_t;
#define hipSuccess cudaSuccess
#define hipErrorInvalidValue cudaErrorInvalidValue
#define hipErrorNotReady cudaErrorNotReady
#define hipErrorUnknown cudaErrorUnknown
enum { hipEventDefault, hipEventBlockingSync, hipEventDisableTiming, hipStreamDefault = 0, hipStreamNonBlocking = 1, hipMemAttachGlobal = 1,
       hipHostMallocDefault = 0, hipHostMallocPortable = 1, hipHostMallocMapped = 2, hipCpuDeviceId = -1,
       hipFuncAttributeMaxDynamicSharedMemorySize = 8 };
typedef cudaStream_t hipStream_t;
typedef cudaEvent_t hipEvent_t;
typedef cudaDeviceProp hipDeviceProp_t;
typedef cudaMemcpyKind hipMemcpyKind;
typedef CUmodule hipModule_t;
typedef CUfunction hipFunction_t;
typedef void* hipDeviceptr_t;
#define hipMemcpyHostToHost cudaMemcpyHostToHost
#define hipMemcpyHostToDevice cudaMemcpyHostToDevice
#define hipMemcpyDeviceToHost cudaMemcpyDeviceToHost
#define hipMemcpyDeviceToDevice cudaMemcpyDeviceToDevice
#define hipMemcpyDefault cudaMemcpyDefault
hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, hipStream_t stream = 0);
hipError_t hipConfigureCall(dim3 grid, dim3 block, size_t shared = 0, hipStream_t stream = 0);
template <class F, class... A> void hipLaunchKernelGGL(F kernel, dim3 grid, dim3 block, size_t shared, hipStream_t stream, A&&... arguments);
template <class F> hipError_t hipLaunchKernel(F kernel, dim3 grid, dim3 block, void** arguments, size_t shared = 0, hipStream_t stream = 0);
template <class T> hipError_t hipMalloc(T** to, size_t bytes);
template <class T> hipError_t hipMallocManaged(T** to, size_t bytes, unsigned flags = 0);
template <class T> hipError_t hipHostMalloc(T** to, size_t bytes, unsigned flags = 0);
hipError_t hipMemcpy(void* to, const void* from, size_t bytes, hipMemcpyKind kind);
hipError_t hipMemcpyAsync(void* to, const void* from, size_t bytes, hipMemcpyKind kind, hipStream_t stream = 0);
hipError_t hipMemset(void* to, int value, size_t bytes);
hipError_t hipMemsetAsync(void* to, int value, size_t bytes, hipStream_t stream = 0);
template <class T> hipError_t hipMemcpyToSymbol(T&& to, const void* from, size_t bytes, size_t offset = 0, hipMemcpyKind kind = hipMemcpyHostToDevice);
template <class... A> hipError_t hipModuleLaunchKernel(A...);
template <class... A> hipError_t hipModuleGetFunction(A...);
HONE_FUNCTIONS(HONE_FUNCTION, hip)
template <class T> hipError_t hipMallocAsync(T** to, size_t bytes, hipStream_t stream = 0);
template <class T> hipError_t hipMallocHost(T** to, size_t bytes, unsigned flags = 0);
template <class T> hipError_t hipHostAlloc(T** to, size_t bytes, unsigned flags = 0);
template <class T> hipError_t hipMallocPitch(T** to, size_t* pitch, size_t width, size_t height);
template <class T> hipError_t hipMemcpyFromSymbol(void* to, T&& from, size_t bytes, size_t offset = 0, hipMemcpyKind kind = hipMemcpyDeviceToHost);
#define HIP_SYMBOL(x) x
hipError_t hipFree(void*), hipHostFree(void*), hipFreeHost(void*), hipDeviceSynchronize(), hipDeviceReset(), hipGetLastError(),
    hipPeekAtLastError(), hipSetDevice(int), hipGetDevice(int*), hipGetDeviceCount(int*), hipGetDeviceProperties(hipDeviceProp_t*, int),
    hipStreamCreate(hipStream_t*), hipStreamDestroy(hipStream_t), hipStreamSynchronize(hipStream_t), hipEventCreate(hipEvent_t*),
    hipEventDestroy(hipEvent_t), hipEventRecord(hipEvent_t, hipStream_t = 0), hipEventSynchronize(hipEvent_t),
    hipEventElapsedTime(float*, hipEvent_t, hipEvent_t);
const char* hipGetErrorString(hipError_t);
