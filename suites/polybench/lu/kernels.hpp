#pragma once

// Step k of the elimination without pivoting: the rest of row k is divided by the pivot, then taken from the rows below it.
static const char* const lu_source = R"CLC(
__kernel void lu_scale(__global float *a, int k, int n)
{
    int j = k + 1 + get_global_id(0);
    if (j < n)
        a[k * n + j] /= a[k * n + k];
}

__kernel void lu_update(__global float *a, int k, int n)
{
    int j = k + 1 + get_global_id(0);
    int i = k + 1 + get_global_id(1);
    if (i < n && j < n)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
}
)CLC";
