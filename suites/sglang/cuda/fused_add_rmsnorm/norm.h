#pragma once
#include <cuda_fp16.h>
#include <cuda_runtime.h>

/// residual += x; x = residual / rms(residual) * weight, token by token. Both are tokens x hidden and change in place.
cudaError_t fused_add_rmsnorm(__half* x, __half* residual, const __half* weight, float epsilon, int tokens, int hidden,
                              cudaStream_t stream);
