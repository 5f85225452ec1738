#pragma once
#include <cuda_runtime.h>

/// a is n x n, all others hold n values; in device memory.
struct GemverArrays {
  float *a, *u1, *v1, *u2, *v2, *x, *y, *z, *w;
};
void gemver(const GemverArrays& d, float alpha, float beta, int n);
void gpu_check(cudaError_t status, const char* what);
