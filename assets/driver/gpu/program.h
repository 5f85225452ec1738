/* Compiled with the kernel, into one library for each source and its options: what run asks of a GPU, by the words of
 * CUDA or HIP, or of the emulation on this processor. */
#pragma once

#if defined(EMULATED)
#include "emulated.h"
#define GPU(name) emulated##name
#define GPU_SYMBOL(name) name
#elif defined(__HIPCC__)
#include <hip/hip_runtime.h>
#define GPU(name) hip##name
#define GPU_SYMBOL(name) HIP_SYMBOL(name)
#else
#include <cuda_runtime.h>
#define GPU(name) cuda##name
#define GPU_SYMBOL(name) name
typedef cudaDeviceProp cudaDeviceProp_t;
#endif

#include <stddef.h>
#include <string.h>

struct program_kernel {
  const char* name;
  const void* function;
  size_t parameters;
  const size_t* bytes; /* of each */
  void (*call)(const void* function, void** values);
};

struct program_variable {
  const char* name;
  int (*find)(void** address, size_t* bytes);
};

#if defined(EMULATED)
template <size_t... At, class... A>
void program_apply(void (*function)(A...), void** values, emulation::indices<At...>) {
  function(*static_cast<emulation::plain<A>*>(values[At])...);
}
#endif

template <class... A>
program_kernel program_kernel_of(const char* name, void (*function)(A...)) {
  static const size_t bytes[] = {sizeof(A)..., 0};
  program_kernel out = {name, reinterpret_cast<const void*>(function), sizeof...(A), bytes, NULL};
#if defined(EMULATED)
  out.call = [](const void* f, void** values) {
    program_apply(reinterpret_cast<void (*)(A...)>(const_cast<void*>(f)), values,
                  emulation::make_indices<sizeof...(A)>());
  };
#endif
  return out;
}
