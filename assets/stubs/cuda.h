/* CUDA as far as lifting needs it. */
#pragma once
#include "device.h"
typedef int cudaError_t;
typedef struct CUstream_st* cudaStream_t;
HONE_DEVICE int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
