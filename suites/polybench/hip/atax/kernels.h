#pragma once
#include <hip/hip_runtime.h>

extern "C" {
/// tmp = A x; A is nx x ny
__global__ void atax_rows(const float* a, const float* x, float* tmp, int nx, int ny);
/// y = A^T tmp
__global__ void atax_columns(const float* a, const float* tmp, float* y, int nx, int ny);
}
