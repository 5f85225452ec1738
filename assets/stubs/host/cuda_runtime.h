/* CUDA's runtime and driver as far as reading host code needs them. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __restrict__ __restrict
#define __align__(n) __attribute__((aligned(n)))
#define __managed__
#define __grid_constant__
#define HONE_BOTH __attribute__((host)) __attribute__((device))
struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  HONE_BOTH constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
extern const __attribute__((device)) uint3 threadIdx, blockIdx;
extern const __attribute__((device)) dim3 blockDim, gridDim;
extern const __attribute__((device)) int warpSize;
#define HONE_VECTOR(base, type)                       \
  struct type##1 { base x; };                         \
  struct type##2 { base x, y; };                      \
  struct type##3 { base x, y, z; };                   \
  struct type##4 { base x, y, z, w; };                \
  HONE_BOTH type##2 make_##type##2(base, base);       \
  HONE_BOTH type##3 make_##type##3(base, base, base); \
  HONE_BOTH type##4 make_##type##4(base, base, base, base);
HONE_VECTOR(signed char, char)
HONE_VECTOR(unsigned char, uchar)
HONE_VECTOR(short, short)
HONE_VECTOR(unsigned short, ushort)
HONE_VECTOR(int, int)
HONE_VECTOR(long, long)
HONE_VECTOR(unsigned long, ulong)
HONE_VECTOR(long long, longlong)
HONE_VECTOR(unsigned long long, ulonglong)
HONE_VECTOR(float, float)
HONE_VECTOR(double, double)
struct uint2 {
  unsigned x, y;
};
struct uint4 {
  unsigned x, y, z, w;
};
HONE_BOTH uint2 make_uint2(unsigned, unsigned);
HONE_BOTH uint3 make_uint3(unsigned, unsigned, unsigned);
HONE_BOTH uint4 make_uint4(unsigned, unsigned, unsigned, unsigned);
enum cudaError_t {
  cudaSuccess = 0, cudaErrorInvalidValue, cudaErrorMemoryAllocation, cudaErrorInvalidConfiguration = 9, cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice, cudaErrorNotReady = 600, cudaErrorUnknown = 999
};
enum { cudaEventDefault, cudaEventBlockingSync, cudaEventDisableTiming, cudaStreamDefault = 0, cudaStreamNonBlocking = 1,
       cudaMemAttachGlobal = 1, cudaMemAttachHost = 2, cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2,
       cudaHostRegisterDefault = 0, cudaCpuDeviceId = -1, cudaDeviceScheduleSpin = 1, cudaDeviceMapHost = 8 };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout };
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
typedef cudaError_t cudaError;
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef struct CUfunc_st* CUfunction;
typedef struct CUmod_st* CUmodule;
typedef struct CUctx_st* CUcontext;
typedef int CUdevice;
typedef int CUresult;
typedef cudaStream_t CUstream;
typedef unsigned long long CUdeviceptr;
#define CUDA_SUCCESS 0
struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate, major, minor,
      multiProcessorCount, maxThreadsPerMultiProcessor, memoryClockRate, memoryBusWidth, l2CacheSize;
};
cudaError_t __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
template <class T> cudaError_t cudaMalloc(T** to, size_t bytes);
template <class T> cudaError_t cudaMallocManaged(T** to, size_t bytes, unsigned flags = 0);
template <class T> cudaError_t cudaMallocHost(T** to, size_t bytes, unsigned flags = 0);
template <class T> cudaError_t cudaHostAlloc(T** to, size_t bytes, unsigned flags = 0);
template <class T> cudaError_t cudaMallocAsync(T** to, size_t bytes, cudaStream_t stream = 0);
template <class T> cudaError_t cudaMallocPitch(T** to, size_t* pitch, size_t width, size_t height);
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemset(void* to, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream = 0);
template <class T> cudaError_t cudaMemcpyToSymbol(T&& to, const void* from, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice);
template <class T> cudaError_t cudaMemcpyFromSymbol(void* to, T&& from, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
template <class F> cudaError_t cudaLaunchKernel(F kernel, dim3 grid, dim3 block, void** arguments, size_t shared = 0, cudaStream_t stream = 0);
template <class F> cudaError_t cudaLaunchCooperativeKernel(F kernel, dim3 grid, dim3 block, void** arguments, size_t shared = 0, cudaStream_t stream = 0);
/* Of these only that they are there matters, and that they succeed. */
#define HONE_FUNCTIONS(F, vendor)                                                                                                       \
  F(vendor##FuncSetAttribute) F(vendor##FuncSetCacheConfig) F(vendor##FuncGetAttributes) F(vendor##OccupancyMaxPotentialBlockSize)      \
  F(vendor##OccupancyMaxActiveBlocksPerMultiprocessor) F(vendor##Memcpy2D) F(vendor##Memcpy2DAsync) F(vendor##Memset2D)                 \
  F(vendor##MemcpyPeer) F(vendor##MemcpyToSymbolAsync) F(vendor##GetSymbolAddress) F(vendor##EventCreateWithFlags) F(vendor##EventQuery) \
  F(vendor##StreamCreateWithFlags) F(vendor##StreamCreateWithPriority) F(vendor##StreamWaitEvent) F(vendor##StreamQuery)                \
  F(vendor##MemGetInfo) F(vendor##DeviceGetAttribute) F(vendor##DriverGetVersion) F(vendor##RuntimeGetVersion)                          \
  F(vendor##HostGetDevicePointer) F(vendor##HostRegister) F(vendor##HostUnregister) F(vendor##MemPrefetchAsync) F(vendor##MemAdvise)    \
  F(vendor##DeviceSetLimit) F(vendor##DeviceGetLimit) F(vendor##SetDeviceFlags) F(vendor##DeviceSetCacheConfig)                         \
  F(vendor##DeviceSetSharedMemConfig) F(vendor##DeviceCanAccessPeer) F(vendor##DeviceEnablePeerAccess) F(vendor##ProfilerStart)         \
  F(vendor##ProfilerStop)
#define HONE_FUNCTION(name) template <class... A> cudaError_t name(A&&...);
HONE_FUNCTIONS(HONE_FUNCTION, cuda)
cudaError_t cudaFree(void*), cudaFreeHost(void*), cudaFreeAsync(void*, cudaStream_t), cudaDeviceSynchronize(), cudaThreadSynchronize(),
    cudaDeviceReset(), cudaGetLastError(), cudaPeekAtLastError(), cudaSetDevice(int), cudaGetDevice(int*), cudaGetDeviceCount(int*),
    cudaGetDeviceProperties(cudaDeviceProp*, int), cudaStreamCreate(cudaStream_t*), cudaStreamDestroy(cudaStream_t),
    cudaStreamSynchronize(cudaStream_t), cudaEventCreate(cudaEvent_t*), cudaEventDestroy(cudaEvent_t),
    cudaEventRecord(cudaEvent_t, cudaStream_t = 0), cudaEventSynchronize(cudaEvent_t), cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t);
const char* cudaGetErrorString(cudaError_t);
const char* cudaGetErrorName(cudaError_t);
extern "C" {
CUresult cuInit(...), cuDeviceGet(...), cuCtxCreate(...), cuModuleLoad(...), cuModuleLoadData(...), cuModuleLoadDataEx(...), cuModuleGetFunction(...),
    cuMemAlloc(...), cuMemFree(...), cuMemcpyHtoD(...), cuMemcpyDtoH(...), cuLaunchKernel(...), cuCtxSynchronize(...), cuMemcpyHtoDAsync(...), cuMemcpyDtoHAsync(...);
}
