/* The kernels are text to this compiler; preprocessor lines cannot stand inside. */
#include "gemver.h"

#define SOURCE(...) #__VA_ARGS__

/* A = A + u1 v1^T + u2 v2^T, then x = x + beta A^T y + z, then w = alpha A x. */
const char *gemver_source = SOURCE(
__kernel void gemver_update(__global float *a, __global const float *u1, __global const float *v1,
                            __global const float *u2, __global const float *v2, const int n)
{
    const int j = get_global_id(0);
    const int i = get_global_id(1);
    if (i < n && j < n)
        a[i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];
}

__kernel void gemver_transposed(__global const float *a, __global float *x, __global const float *y, __global const float *z,
                                const float beta, const int n)
{
    const int i = get_global_id(0);
    if (i < n) {
        for (int j = 0; j < n; j++)
            x[i] += beta * a[j * n + i] * y[j];
        x[i] += z[i];
    }
}

__kernel void gemver_straight(__global const float *a, __global float *w, __global const float *x,
                              const float alpha, const int n)
{
    const int i = get_global_id(0);
    if (i < n) {
        w[i] = 0.0f;
        for (int j = 0; j < n; j++)
            w[i] += alpha * a[i * n + j] * x[j];
    }
}
);
