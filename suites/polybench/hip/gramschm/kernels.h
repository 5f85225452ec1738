#pragma once
#include <hip/hip_runtime.h>

/// Column k of A (rows x columns): its length to R, the unit vector to Q, and its share out of every later column.
hipError_t gram_schmidt_column(float* a, float* q, float* r, int k, int rows, int columns);
