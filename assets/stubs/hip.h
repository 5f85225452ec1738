/* HIP as far as lifting needs it. */
#pragma once
#include "device.h"
typedef int hipError_t;
typedef struct ihipStream_t* hipStream_t;
HONE_DEVICE int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, hipStream_t stream = 0);
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
/* The words of its first releases. */
#define HONE_AXES(name) extern const HONE_DEVICE unsigned name##_x, name##_y, name##_z;
HONE_AXES(hipThreadIdx)
HONE_AXES(hipBlockIdx)
HONE_AXES(hipBlockDim)
HONE_AXES(hipGridDim)
