// HIP's words for kernels in CUDA's, so that the compiler of one serves both where HIP kernels run on the emulator: a
// device with 32 lanes. What the two spell alike is not here.
#pragma once

#include "hip_words.h"
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define HIP_KERNEL_NAME(...) __VA_ARGS__

// Exchanges without a mask are between all lanes that are there.
template <class T>
__device__ inline T __shfl(T value, int lane, int width = 32) {
  return __shfl_sync(__activemask(), value, lane, width);
}
template <class T>
__device__ inline T __shfl_up(T value, unsigned distance, int width = 32) {
  return __shfl_up_sync(__activemask(), value, distance, width);
}
template <class T>
__device__ inline T __shfl_down(T value, unsigned distance, int width = 32) {
  return __shfl_down_sync(__activemask(), value, distance, width);
}
template <class T>
__device__ inline T __shfl_xor(T value, int lanes, int width = 32) {
  return __shfl_xor_sync(__activemask(), value, lanes, width);
}
// CUDA still declares these names and no longer has them.
#define __ballot(condition) static_cast<unsigned long long>(__ballot_sync(__activemask(), condition))
#define __any(condition) __any_sync(__activemask(), condition)
#define __all(condition) __all_sync(__activemask(), condition)
__device__ inline unsigned __lane_id() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

// Atomics that may round or order as the hardware likes.
template <class T>
__device__ inline T unsafeAtomicAdd(T* at, T value) {
  return atomicAdd(at, value);
}
template <class T>
__device__ inline T atomicAddNoRet(T* at, T value) {
  return atomicAdd(at, value);
}
